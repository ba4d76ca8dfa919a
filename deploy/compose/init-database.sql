-- PostgreSQL's image runs this when it makes the database. The service's user owns its database and is no superuser.
\set password `cat /run/secrets/database_password`
create role tillgate login password :'password';
create database tillgate owner tillgate;
revoke all on database tillgate from public;
