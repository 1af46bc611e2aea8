#!/bin/sh
# Run by the image of Postgres when it makes its directory: the role that the shop signs in as. Its rights are given to it by the migrations.
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=password="$(cat /run/secrets/shop-password)" <<'SQL'
CREATE ROLE shop LOGIN PASSWORD :'password';
SQL
