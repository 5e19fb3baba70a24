-- AlterTable
ALTER TABLE "project" ADD COLUMN     "rulesetTime" BIGINT NOT NULL DEFAULT 0;

UPDATE "project" SET "rulesetTime" = COALESCE((SELECT max("time") FROM "change" WHERE "change"."projectID" = "project"."id"), 0);

-- Numbers the changes of a project at commit: who has seen 10 will never later find a new 9. The lock on the project's row is
-- taken when the transaction commits and held for the commit alone. The ruleset's time goes up with each change that may change what some key
-- is shown, of a key's limits too, also where the clocks of two replicas differ. Whoever listens hears the project's ID once a transaction.
CREATE OR REPLACE FUNCTION "number_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    next BIGINT;
BEGIN
    UPDATE "project" SET
        "lastSeq" = "lastSeq" + 1,
        "rulesetTime" = CASE
            WHEN NEW."entityType" IN ('metric_source', 'release_pipeline', 'tag', 'team', 'unit_id_type') THEN "rulesetTime"
            ELSE greatest("rulesetTime" + 1, NEW."time")
        END
    WHERE "id" = NEW."projectID" RETURNING "lastSeq" INTO STRICT next;
    UPDATE "change" SET "seq" = next WHERE "projectID" = NEW."projectID" AND "id" = NEW."id";
    PERFORM pg_notify('gatehouse_change', NEW."projectID");
    RETURN NULL;
END
$$;
