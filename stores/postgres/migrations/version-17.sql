-- Makes the tables of version 17 from those of version 16: edits of records say value by value what they have changed.
alter table undos add changes json;
