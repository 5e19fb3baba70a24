-- AlterTable
ALTER TABLE "change" ADD COLUMN     "movesRuleset" BOOLEAN NOT NULL DEFAULT true;

-- As before, but each change says itself whether the ruleset may be different after it: this function knows no kind of entity by name. One that
-- does not say so, of a server of an earlier version, counts as one after which it is.
CREATE OR REPLACE FUNCTION "number_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    next BIGINT;
BEGIN
    UPDATE "project" SET
        "lastSeq" = "lastSeq" + 1,
        "listSeq" = CASE WHEN NEW."altersLists" THEN "lastSeq" + 1 ELSE "listSeq" END,
        "rulesetTime" = CASE WHEN NEW."movesRuleset" THEN greatest("rulesetTime" + 1, NEW."time") ELSE "rulesetTime" END
    WHERE "id" = NEW."projectID" RETURNING "lastSeq" INTO STRICT next;
    UPDATE "change" SET "seq" = next WHERE "projectID" = NEW."projectID" AND "id" = NEW."id";
    PERFORM pg_notify('gatehouse_change', NEW."projectID");
    RETURN NULL;
END
$$;
