-- Makes the tables of version 12 from those of version 11: computers and rooms have tags.
alter table computers add tags json;

alter table rooms add tags json;
