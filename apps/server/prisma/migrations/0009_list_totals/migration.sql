-- AlterTable
ALTER TABLE "change" ADD COLUMN     "altersLists" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "project" ADD COLUMN     "listSeq" BIGINT NOT NULL DEFAULT 0;

-- As before, and the number of the last change that may have changed what a list finds: totals that were counted since then are right.
CREATE OR REPLACE FUNCTION "number_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    next BIGINT;
BEGIN
    UPDATE "project" SET
        "lastSeq" = "lastSeq" + 1,
        "listSeq" = CASE WHEN NEW."altersLists" THEN "lastSeq" + 1 ELSE "listSeq" END,
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
