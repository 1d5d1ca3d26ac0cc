-- The history cannot be emptied, and sign-ins cannot be deleted: only whole months that have expired are dropped.
create trigger "historyKept" before truncate on history for each statement execute function "refuseChange"();
create trigger "signInsAppendOnly" before delete on "signIns" for each row execute function "refuseChange"();
create trigger "signInsKept" before truncate on "signIns" for each statement execute function "refuseChange"();
