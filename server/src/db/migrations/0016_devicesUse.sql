-- The license menu lists the registered PCs by their last use.
create index "devicesUse" on devices ("useDT");
