-- Where the provider of single sign-on ends its session of the person, sealed; of open sessions only.
alter table sessions add column "providerLogout" bytea;
