-- Rows whose object is gone stay a while, and without a CDN leave by that time alone: found without looking through those
-- whose object is still to be deleted.
create index outbox_object_deleted_at on outbox (object_deleted_at) where object_deleted_at is not null;
