-- Makes the tables of version 16 from those of version 15: edits of records can be taken back, and say what of them.
alter table undos add fields text[];
