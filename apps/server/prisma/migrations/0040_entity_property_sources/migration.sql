-- CreateTable
CREATE TABLE "entity_property_source" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,

    CONSTRAINT "entity_property_source_pkey" PRIMARY KEY ("projectID","name")
);

-- CreateIndex
CREATE INDEX "entity_property_source_projectID_createdTime_name_idx" ON "entity_property_source"("projectID", "createdTime" DESC, "name");

-- CreateIndex
CREATE INDEX "entity_property_source_projectID_lastModifiedTime_name_idx" ON "entity_property_source"("projectID", "lastModifiedTime" DESC, "name");

-- CreateIndex
CREATE INDEX "entity_property_source_projectID_sortName_name_idx" ON "entity_property_source"("projectID", "sortName", "name");

-- CreateIndex
CREATE INDEX "entity_property_source_searchGrams_idx" ON "entity_property_source" USING GIN ("searchGrams");

-- The sources that experiments name already in their stratified sampling. None of them exists, but one of that name may be created. What jsonb refuses in
-- a text, such as half of a surrogate pair, is replaced in what is read. Longer names are of no source.
INSERT INTO "reference" ("projectID", "fromType", "fromID", "fromTime", "toType", "toID")
SELECT "projectID", 'experiment', "id", "createdTime", 'entity_property_source', "name"
FROM (
    SELECT "projectID", "id", "createdTime", CASE WHEN "entity" LIKE '%"propertySourceName"%' THEN
        regexp_replace("entity", '\\u(0000|d[89a-fA-F][0-9a-fA-F]{2})', '\\ufffd', 'g')::jsonb
        #>> '{stratifiedSampling,entityPropertySource,propertySourceName}'
    END AS "name"
    FROM "experiment" WHERE "status" <> 'archived'
) AS "named"
WHERE length("name") BETWEEN 1 AND 100
ON CONFLICT DO NOTHING;
