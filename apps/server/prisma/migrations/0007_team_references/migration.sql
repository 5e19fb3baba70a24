-- The teams that the entities that exist name. A teamID of no team stays where it is, and is no reference.
INSERT INTO "reference" ("projectID", "fromType", "fromID", "fromTime", "toType", "toID")
WITH "kept" ("projectID", "type", "id", "time", "body") AS (
    SELECT "projectID", 'gate', "id", "createdTime", "entity"::jsonb FROM "gate" WHERE NOT "isArchived"
    UNION ALL SELECT "projectID", 'dynamic_config', "id", "createdTime", "entity"::jsonb FROM "dynamic_config" WHERE NOT "isArchived"
    UNION ALL SELECT "projectID", 'experiment', "id", "createdTime", "entity"::jsonb FROM "experiment" WHERE "status" <> 'archived'
    UNION ALL SELECT "projectID", 'holdout', "id", "createdTime", "entity"::jsonb FROM "holdout"
    UNION ALL SELECT "projectID", 'metric_source', "name", "createdTime", "entity"::jsonb FROM "metric_source"
    UNION ALL SELECT "projectID", 'prompt', "id", "createdTime", "entity"::jsonb FROM "prompt"
    UNION ALL SELECT "projectID", 'segment', "id", "createdTime", "entity"::jsonb FROM "segment" WHERE NOT "isArchived"
)
SELECT "kept"."projectID", "kept"."type", "kept"."id", "kept"."time", 'team', "team"."id"
FROM "kept" JOIN "team" ON "team"."projectID" = "kept"."projectID" AND "team"."id" = "kept"."body" ->> 'teamID'
ON CONFLICT DO NOTHING;
