-- As before, and replicas are told of every change of an entity, since callers listen for them (streamChanges).
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
    IF NEW."altersLists" OR NEW."movesRuleset" OR NEW."version" > 0 THEN
        PERFORM pg_notify('gatehouse_change', NEW."projectID");
    END IF;
    RETURN NULL;
END
$$;
