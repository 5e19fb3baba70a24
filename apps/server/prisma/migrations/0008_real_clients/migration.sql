-- Rules and their variants could be stored with an empty id, which SDKs take for none. Each gets an id, as a change of its entity, so that
-- replicas and SDKs notice. Its baseID stays, because units are divided by it. Of a text nothing else changes but the version.

CREATE FUNCTION "pg_temp"."lacks_id"("items" JSON) RETURNS BOOLEAN LANGUAGE plpgsql STRICT AS $$
BEGIN
    RETURN json_typeof("items") = 'array' AND EXISTS (
        SELECT FROM json_array_elements("items") AS "item" WHERE "item" ->> 'id' = '' OR "pg_temp"."lacks_id"("item" -> 'variants')
    );
END
$$;

CREATE FUNCTION "pg_temp"."with_ids"("items" JSON) RETURNS TEXT LANGUAGE plpgsql STRICT AS $$
BEGIN
    RETURN (
        SELECT '[' || coalesce(string_agg((
            SELECT '{' || string_agg(to_json("field"."key")::text || ':' || CASE
                WHEN "field"."key" = 'id' AND "field"."value"::text = '""'
                    THEN to_json(left(replace(gen_random_uuid()::text, '-', ''), 22))::text
                WHEN "field"."key" = 'variants' AND json_typeof("field"."value") = 'array' THEN "pg_temp"."with_ids"("field"."value")
                ELSE "field"."value"::text
            END, ',' ORDER BY "field"."ordinality") || '}'
            FROM json_each("item"."value") WITH ORDINALITY AS "field"
        ), ',' ORDER BY "item"."ordinality"), '') || ']'
        FROM json_array_elements("items") WITH ORDINALITY AS "item"
    );
END
$$;

CREATE FUNCTION "pg_temp"."mended"("entity" JSON, "listed" TEXT, "version" INTEGER) RETURNS TEXT LANGUAGE plpgsql STRICT AS $$
DECLARE
    "list" TEXT := "pg_temp"."with_ids"("entity" -> "listed");
BEGIN
    RETURN (
        SELECT '{' || string_agg(to_json("field"."key")::text || ':' || CASE "field"."key"
            WHEN "listed" THEN "list"
            WHEN "listed" || 'JSON' THEN to_json('{"rules":' || "list" || '}')::text
            WHEN 'version' THEN "version"::text
            ELSE "field"."value"::text
        END, ',' ORDER BY "field"."ordinality") || '}'
        FROM json_each("entity") WITH ORDINALITY AS "field"
    );
END
$$;

DO $$
DECLARE
    "kind" RECORD;
BEGIN
    FOR "kind" IN VALUES ('gate', 'rules'), ('dynamic_config', 'rules'), ('segment', 'rules'), ('experiment', 'inlineTargetingRules') LOOP
        EXECUTE format($statement$
            WITH "before" AS MATERIALIZED (
                SELECT "projectID", "id", "version", "entity" FROM %1$I
                WHERE CASE WHEN "entity" LIKE '%%"id":""%%' THEN "pg_temp"."lacks_id"("entity"::json -> %2$L) ELSE false END
            ),
            "after" AS (
                UPDATE %1$I AS "row" SET
                    "version" = "row"."version" + 1,
                    "entity" = "pg_temp"."mended"("row"."entity"::json, %2$L, "row"."version" + 1)
                FROM "before" WHERE "row"."projectID" = "before"."projectID" AND "row"."id" = "before"."id"
                RETURNING "row"."projectID", "row"."id", "row"."version", "row"."entity"
            )
            INSERT INTO "change" (
                "projectID", "time", "actorID", "actorName", "operationID", "entityType", "entityID", "version", "reason", "before", "after"
            )
            SELECT
                "projectID", (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 'system', 'GATEHOUSE', 'migrate', %1$L, "id",
                "after"."version", 'Rules had an empty id.', "before"."entity", "after"."entity"
            FROM "after" JOIN "before" USING ("projectID", "id")
        $statement$, "kind"."column1", "kind"."column2");
    END LOOP;
END
$$;

-- A rule with an empty list of environments applied nowhere, and applies in all of them now: whoever holds an older ruleset gets another one.
UPDATE "project" SET "rulesetTime" = greatest("rulesetTime" + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);

DROP FUNCTION "pg_temp"."mended";
DROP FUNCTION "pg_temp"."with_ids";
DROP FUNCTION "pg_temp"."lacks_id";

-- A unit type stands in a metric source under both of its names. In an earlier version, too, so that it is answered as it would be now. No other
-- text has this form: within a text the quotes would be escaped.
UPDATE "metric_source" SET "entity" = regexp_replace(
    "entity", '"serviceUnitID":("(?:[^"\\]|\\.)*"),"column":', '"serviceUnitID":\1,"statsigUnitID":\1,"column":', 'g'
);
UPDATE "change" SET
    "before" = regexp_replace(
        "before", '"serviceUnitID":("(?:[^"\\]|\\.)*"),"column":', '"serviceUnitID":\1,"statsigUnitID":\1,"column":', 'g'
    ),
    "after" = regexp_replace(
        "after", '"serviceUnitID":("(?:[^"\\]|\\.)*"),"column":', '"serviceUnitID":\1,"statsigUnitID":\1,"column":', 'g'
    )
WHERE "entityType" = 'metric_source';
