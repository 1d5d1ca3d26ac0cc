-- Rows of former versions, whose changed values are found in the differences alone: only these are searched there.
create index "historyFormer" on history (kind, idx desc) where detail ? 'diff';
