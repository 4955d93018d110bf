-- How far each deletion has come, so that the relay goes on where another one was cut.
--
-- A deletion has two steps that do not wait for each other: its object, and the CDN's copies. Each is due at a time
-- and leased by moving that time ahead; the attempts tell whose lease it is. The defaults are those of a row that no
-- step was tried of: the program before this migration inserts such rows.

-- When the object is to be deleted, or its lease runs out. Null once it is gone.
alter table outbox add column object_due_at integer default 0;
-- Leases taken of this step. Whoever settles it must name the last one.
alter table outbox add column object_attempts integer not null default 0;
-- Failures since the last success: the more, the longer until the next attempt.
alter table outbox add column object_failures integer not null default 0;
alter table outbox add column object_deleted_at integer;
-- When the CDN is to be purged, or the lease runs out. Null while the last purge waits for the object to be gone.
alter table outbox add column purge_due_at integer default 0;
alter table outbox add column purge_attempts integer not null default 0;
alter table outbox add column purge_failures integer not null default 0;
-- When the first purge succeeded. The row leaves after the last one.
alter table outbox add column purged_at integer;

create index outbox_object_due_at on outbox (object_due_at, n) where object_due_at is not null;

create index outbox_purge_due_at on outbox (purge_due_at, n) where purge_due_at is not null;
