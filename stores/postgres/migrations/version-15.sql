-- Makes the tables of version 15 from those of version 14: procedures and tasks say that a planned restore has made them.
alter table procedures add planned boolean;

alter table tasks add planned boolean;
