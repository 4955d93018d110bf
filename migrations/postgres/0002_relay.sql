-- How far each deletion has come, so that the relay goes on where another one was cut.
--
-- A deletion has two steps that do not wait for each other: its object, and the CDN's copies. Each is due at a time
-- and leased by moving that time ahead; the attempts tell whose lease it is. The defaults are those of a row that no
-- step was tried of: the program before this migration inserts such rows.
alter table outbox
  -- When the object is to be deleted, or its lease runs out. Null once it is gone.
  add column object_due_at bigint default 0,
  -- Leases taken of this step. Whoever settles it must name the last one.
  add column object_attempts bigint not null default 0,
  -- Failures since the last success: the more, the longer until the next attempt.
  add column object_failures bigint not null default 0,
  add column object_deleted_at bigint,
  -- When the CDN is to be purged, or the lease runs out. Null while the last purge waits for the object to be gone.
  add column purge_due_at bigint default 0,
  add column purge_attempts bigint not null default 0,
  add column purge_failures bigint not null default 0,
  -- When the first purge succeeded. The row leaves after the last one.
  add column purged_at bigint;

create index outbox_object_due_at on outbox (object_due_at, n) where object_due_at is not null;

create index outbox_purge_due_at on outbox (purge_due_at, n) where purge_due_at is not null;
