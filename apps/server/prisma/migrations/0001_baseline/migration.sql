-- The database of 0.1.0. Later migrations build on it; this file no longer changes.
--
-- Every primary key of a project's table starts with projectID, so that a project is a shard. The column entity has the JSON text that the API
-- returns; the columns beside it are those that queries filter, sort or constrain. prisma/schema/ explains tables and columns.
-- GIN indexes of searchGrams keep a short pending list where inserts are frequent, since every search reads all of it.

-- Projects

CREATE TABLE "project" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastSeq" BIGINT NOT NULL DEFAULT 0,
    "rulesetTime" BIGINT NOT NULL DEFAULT 0,
    "restoredTime" BIGINT NOT NULL DEFAULT 0,
    "listSeq" BIGINT NOT NULL DEFAULT 0,
    "deletedTime" BIGINT,

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

-- The project of the instance itself, to which people and the list of projects belong. It has no keys and no members.
INSERT INTO "project" ("id", "name", "createdTime") VALUES ('instance', 'instance', 0);

CREATE TABLE "project_entry" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "project_entry_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "project_entry_projectID_createdTime_id_idx" ON "project_entry"("projectID", "createdTime" DESC, "id");

CREATE TABLE "company" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "company_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "sample_project" (
    "projectID" TEXT NOT NULL,
    "endTime" BIGINT NOT NULL,
    "step" INTEGER NOT NULL,
    "readyTime" BIGINT,

    CONSTRAINT "sample_project_pkey" PRIMARY KEY ("projectID")
);

CREATE TABLE "database_place" (
    "id" INTEGER NOT NULL,
    "place" TEXT,
    "seenTime" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "database_place_pkey" PRIMARY KEY ("id")
);
INSERT INTO "database_place" ("id") VALUES (1);

-- An instance serves one company.
INSERT INTO "company" ("id", "name") VALUES (gen_random_uuid()::text, 'Gatehouse');

CREATE TABLE "settings" (
    "projectID" TEXT NOT NULL,
    "defaultUnitType" TEXT NOT NULL,
    "requireTeams" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "timeZone" TEXT NOT NULL,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("projectID")
);

-- The change log, which is the audit log

CREATE TABLE "change" (
    "projectID" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "seq" BIGINT,
    "time" BIGINT NOT NULL,
    "actorID" TEXT NOT NULL,
    "actorName" TEXT NOT NULL,
    "operationID" TEXT NOT NULL,
    "entityType" TEXT NOT NULL,
    "entityID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "reason" TEXT,
    "before" TEXT,
    "after" TEXT,
    "altersLists" BOOLEAN NOT NULL DEFAULT true,
    "movesRuleset" BOOLEAN NOT NULL DEFAULT true,
    "actorEmail" TEXT,
    "address" TEXT,
    "requestID" TEXT,
    "signature" TEXT,
    "userAgent" TEXT,

    CONSTRAINT "change_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "change_projectID_entityType_entityID_version_idx" ON "change"("projectID", "entityType", "entityID", "version");
CREATE UNIQUE INDEX "change_projectID_seq_key" ON "change"("projectID", "seq");
CREATE INDEX "change_time_idx" ON "change" USING BRIN ("time");

-- Numbers the changes of a project at commit: a reader who has seen change 10 never finds a new change 9 later. The lock on the project's row is
-- taken when the transaction commits and held for the commit alone. listSeq becomes the number of the last change that may change what lists find.
-- rulesetTime increases with each change that may change what a key is shown. It is of the database's clock, so that a restored database is later
-- than whatever it lost, also where the clocks of replicas differ. Replicas are notified of the project once a transaction, unless its entries
-- change nothing, as a sign-in.
CREATE FUNCTION "number_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    next BIGINT;
BEGIN
    UPDATE "project" SET
        "lastSeq" = "lastSeq" + 1,
        "listSeq" = CASE WHEN NEW."altersLists" THEN "lastSeq" + 1 ELSE "listSeq" END,
        "rulesetTime" = CASE WHEN NEW."movesRuleset" THEN greatest("rulesetTime" + 1, floor(extract(epoch from clock_timestamp()) * 1000)::bigint)
            ELSE "rulesetTime" END
    WHERE "id" = NEW."projectID" RETURNING "lastSeq" INTO STRICT next;
    UPDATE "change" SET "seq" = next WHERE "projectID" = NEW."projectID" AND "id" = NEW."id";
    IF NEW."altersLists" OR NEW."movesRuleset" OR NEW."version" > 0 THEN
        PERFORM pg_notify('gatehouse_change', NEW."projectID");
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER "number_change" AFTER INSERT ON "change"
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION "number_change"();

CREATE TABLE "seal" (
    "projectID" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "seal" TEXT NOT NULL,
    "droppedFrom" BIGINT,
    "dropProof" TEXT,

    CONSTRAINT "seal_pkey" PRIMARY KEY ("projectID","seq")
);

CREATE TABLE "sealing" (
    "id" INTEGER NOT NULL,
    "since" BIGINT NOT NULL,
    "proof" TEXT NOT NULL,

    CONSTRAINT "sealing_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "repeated_event" (
    "projectID" TEXT NOT NULL,
    "entityType" TEXT NOT NULL,
    "operationID" TEXT NOT NULL,
    "actorID" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "windowStart" BIGINT NOT NULL,
    "count" INTEGER NOT NULL,
    "event" TEXT NOT NULL,

    CONSTRAINT "repeated_event_pkey" PRIMARY KEY ("projectID","entityType","operationID","actorID","address")
);
CREATE INDEX "repeated_event_windowStart_idx" ON "repeated_event"("windowStart");

-- Keys and writes

CREATE TABLE "key" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "environments" TEXT[],
    "allowedAddresses" TEXT[],
    "lastUsedTime" BIGINT,
    "primaryTargetApp" TEXT,
    "scopes" TEXT[],
    "status" TEXT NOT NULL,
    "targetApps" TEXT[],
    "type" TEXT NOT NULL,
    "role" TEXT,
    "expiresTime" BIGINT,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "key_pkey" PRIMARY KEY ("projectID","id")
);
CREATE UNIQUE INDEX "key_hash_key" ON "key"("hash");
CREATE INDEX "key_projectID_createdTime_id_idx" ON "key"("projectID", "createdTime" DESC, "id");
CREATE INDEX "key_projectID_lastModifiedTime_id_idx" ON "key"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "key_projectID_sortName_id_idx" ON "key"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "key_projectID_status_createdTime_id_idx" ON "key"("projectID", "status", "createdTime" DESC, "id");
CREATE INDEX "key_searchGrams_idx" ON "key" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

CREATE TABLE "key_address" (
    "projectID" TEXT NOT NULL,
    "keyID" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "time" BIGINT NOT NULL,

    CONSTRAINT "key_address_pkey" PRIMARY KEY ("projectID","keyID","address")
);

CREATE TABLE "idempotency_record" (
    "projectID" TEXT NOT NULL,
    "actorID" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "etag" TEXT,
    "body" TEXT NOT NULL,
    "time" BIGINT NOT NULL,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("projectID","actorID","key")
);
CREATE INDEX "idempotency_record_time_idx" ON "idempotency_record"("time");

-- Unlogged, so that a lease does not wait for the disk. A crash empties the table, and the windows start again.
CREATE UNLOGGED TABLE "write_lease" (
    "projectID" TEXT NOT NULL,
    "actorID" TEXT NOT NULL,
    "windowStart" BIGINT NOT NULL,
    "leased" INTEGER NOT NULL,
    "granted" INTEGER NOT NULL,

    CONSTRAINT "write_lease_pkey" PRIMARY KEY ("projectID","actorID")
);

CREATE TABLE "lock_slot" (
    "id" INTEGER NOT NULL,

    CONSTRAINT "lock_slot_pkey" PRIMARY KEY ("id")
);

-- Transactions lock one of these rows for work that only one of them may do at a time.
INSERT INTO "lock_slot" ("id") SELECT generate_series(0, 1023);

-- People and roles

CREATE TABLE "person" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "isAdministrator" BOOLEAN NOT NULL,
    "isActive" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "person_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "person_projectID_createdTime_id_idx" ON "person"("projectID", "createdTime" DESC, "id");
CREATE UNIQUE INDEX "person_projectID_email_key" ON "person"("projectID", "email");
CREATE INDEX "person_projectID_lastModifiedTime_id_idx" ON "person"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "person_projectID_sortName_id_idx" ON "person"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "person_searchGrams_idx" ON "person" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

CREATE TABLE "password" (
    "personID" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "changedTime" BIGINT NOT NULL,

    CONSTRAINT "password_pkey" PRIMARY KEY ("personID")
);

CREATE TABLE "identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "personID" TEXT NOT NULL,

    CONSTRAINT "identity_pkey" PRIMARY KEY ("issuer","subject")
);

CREATE TABLE "scim_user" (
    "personID" TEXT NOT NULL,
    "userName" TEXT NOT NULL,
    "userNameKey" TEXT,
    "externalID" TEXT,
    "displayName" TEXT,
    "createdTime" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "deletedTime" BIGINT,

    CONSTRAINT "scim_user_pkey" PRIMARY KEY ("personID")
);
CREATE UNIQUE INDEX "scim_user_userNameKey_key" ON "scim_user"("userNameKey");
CREATE INDEX "scim_user_externalID_idx" ON "scim_user"("externalID");

CREATE TABLE "scim_group" (
    "id" TEXT NOT NULL,
    "displayName" TEXT NOT NULL,
    "nameKey" TEXT NOT NULL,
    "externalID" TEXT,
    "createdTime" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,

    CONSTRAINT "scim_group_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "scim_group_nameKey_key" ON "scim_group"("nameKey");
CREATE INDEX "scim_group_createdTime_id_idx" ON "scim_group"("createdTime", "id");

CREATE TABLE "scim_membership" (
    "groupID" TEXT NOT NULL,
    "personID" TEXT NOT NULL,

    CONSTRAINT "scim_membership_pkey" PRIMARY KEY ("groupID","personID")
);
CREATE INDEX "scim_membership_personID_idx" ON "scim_membership"("personID");

CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "personID" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastUsedTime" BIGINT NOT NULL,
    "endsTime" BIGINT NOT NULL,
    "address" TEXT,
    "userAgent" TEXT,
    "isSingleSignOn" BOOLEAN NOT NULL DEFAULT false,
    "passwordTime" BIGINT,
    "passkeyTime" BIGINT,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "session_hash_key" ON "session"("hash");
CREATE INDEX "session_personID_idx" ON "session"("personID");

CREATE TABLE "totp" (
    "personID" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "confirmedTime" BIGINT,
    "lastStep" BIGINT NOT NULL,

    CONSTRAINT "totp_pkey" PRIMARY KEY ("personID")
);

CREATE TABLE "passkey" (
    "id" TEXT NOT NULL,
    "personID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "isSynced" BOOLEAN NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastUsedTime" BIGINT,

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "passkey_personID_idx" ON "passkey"("personID");

CREATE TABLE "passkey_challenge" (
    "challenge" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "sessionID" TEXT,
    "endsTime" BIGINT NOT NULL,

    CONSTRAINT "passkey_challenge_pkey" PRIMARY KEY ("challenge")
);

CREATE TABLE "recovery_code" (
    "personID" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("personID","hash")
);

CREATE TABLE "one_time_token" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "personID" TEXT,
    "createdTime" BIGINT NOT NULL,
    "endsTime" BIGINT NOT NULL,
    "projectID" TEXT,
    "isByAdministrator" BOOLEAN NOT NULL,

    CONSTRAINT "one_time_token_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "one_time_token_hash_key" ON "one_time_token"("hash");
CREATE INDEX "one_time_token_personID_idx" ON "one_time_token"("personID");
CREATE INDEX "one_time_token_projectID_idx" ON "one_time_token"("projectID");

CREATE TABLE "member" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "member_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "member_id_idx" ON "member"("id");
CREATE INDEX "member_projectID_createdTime_id_idx" ON "member"("projectID", "createdTime" DESC, "id");

CREATE TABLE "role" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "caselessName" TEXT NOT NULL,
    "permissions" TEXT[],
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "role_pkey" PRIMARY KEY ("projectID","id")
);
CREATE UNIQUE INDEX "role_projectID_caselessName_key" ON "role"("projectID", "caselessName");
CREATE INDEX "role_projectID_createdTime_id_idx" ON "role"("projectID", "createdTime" DESC, "id");

CREATE TABLE "team" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "caselessName" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "team_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "team_projectID_createdTime_id_idx" ON "team"("projectID", "createdTime" DESC, "id");
CREATE INDEX "team_projectID_lastModifiedTime_id_idx" ON "team"("projectID", "lastModifiedTime" DESC, "id");
CREATE UNIQUE INDEX "team_projectID_name_key" ON "team"("projectID", "name");
CREATE UNIQUE INDEX "team_projectID_caselessName_key" ON "team"("projectID", "caselessName");
CREATE INDEX "team_projectID_sortName_id_idx" ON "team"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "team_searchGrams_idx" ON "team" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

-- Entities that decide what users see

CREATE TABLE "gate" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "releasePipelineID" TEXT,
    "tags" TEXT[],
    "isArchived" BOOLEAN NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "dueTime" BIGINT,
    "idType" TEXT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "rolloutRate" TEXT NOT NULL,
    "targetApps" TEXT[],
    "type" TEXT NOT NULL,
    "typeReason" TEXT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "status" TEXT NOT NULL,

    CONSTRAINT "gate_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "gate_dueTime_idx" ON "gate"("dueTime");
CREATE INDEX "gate_projectID_createdTime_id_idx" ON "gate"("projectID", "createdTime" DESC, "id");
CREATE INDEX "gate_projectID_lastModifiedTime_id_idx" ON "gate"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "gate_projectID_sortName_id_idx" ON "gate"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "gate_projectID_status_createdTime_id_idx" ON "gate"("projectID", "status", "createdTime" DESC, "id");
CREATE INDEX "gate_searchGrams_idx" ON "gate" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);
CREATE INDEX "gate_tags_idx" ON "gate" USING GIN ("tags");

CREATE TABLE "dynamic_config" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "releasePipelineID" TEXT,
    "tags" TEXT[],
    "isArchived" BOOLEAN NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "dueTime" BIGINT,
    "idType" TEXT NOT NULL,
    "targetApps" TEXT[],
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "status" TEXT NOT NULL,

    CONSTRAINT "dynamic_config_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "dynamic_config_dueTime_idx" ON "dynamic_config"("dueTime");
CREATE INDEX "dynamic_config_projectID_createdTime_id_idx" ON "dynamic_config"("projectID", "createdTime" DESC, "id");
CREATE INDEX "dynamic_config_projectID_lastModifiedTime_id_idx" ON "dynamic_config"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "dynamic_config_projectID_sortName_id_idx" ON "dynamic_config"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "dynamic_config_projectID_status_createdTime_id_idx" ON "dynamic_config"("projectID", "status", "createdTime" DESC, "id");
CREATE INDEX "dynamic_config_searchGrams_idx" ON "dynamic_config" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);
CREATE INDEX "dynamic_config_tags_idx" ON "dynamic_config" USING GIN ("tags");

CREATE TABLE "experiment" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "status" TEXT NOT NULL,
    "layerID" TEXT,
    "idType" TEXT NOT NULL,
    "teamID" TEXT,
    "tags" TEXT[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "dueTime" BIGINT,
    "experimentType" TEXT NOT NULL,
    "targetApps" TEXT[],
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "experiment_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "experiment_dueTime_idx" ON "experiment"("dueTime");
CREATE INDEX "experiment_projectID_createdTime_id_idx" ON "experiment"("projectID", "createdTime" DESC, "id");
CREATE INDEX "experiment_projectID_lastModifiedTime_id_idx" ON "experiment"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "experiment_projectID_layerID_idx" ON "experiment"("projectID", "layerID");
CREATE INDEX "experiment_projectID_sortName_id_idx" ON "experiment"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "experiment_projectID_status_createdTime_id_idx" ON "experiment"("projectID", "status", "createdTime" DESC, "id");
CREATE INDEX "experiment_searchGrams_idx" ON "experiment" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);
CREATE INDEX "experiment_tags_idx" ON "experiment" USING GIN ("tags");

CREATE TABLE "autotune" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "idType" TEXT NOT NULL,
    "tags" TEXT[],
    "targetApps" TEXT[],
    "isRunning" BOOLEAN NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "autotune_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "autotune_projectID_createdTime_id_idx" ON "autotune"("projectID", "createdTime" DESC, "id");
CREATE INDEX "autotune_projectID_lastModifiedTime_id_idx" ON "autotune"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "autotune_projectID_sortName_id_idx" ON "autotune"("projectID", "sortName", "id");
CREATE INDEX "autotune_searchGrams_idx" ON "autotune" USING GIN ("searchGrams");
CREATE INDEX "autotune_tags_idx" ON "autotune" USING GIN ("tags");

CREATE TABLE "holdout" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "tags" TEXT[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "holdout_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "holdout_projectID_createdTime_id_idx" ON "holdout"("projectID", "createdTime" DESC, "id");
CREATE INDEX "holdout_projectID_lastModifiedTime_id_idx" ON "holdout"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "holdout_projectID_sortName_id_idx" ON "holdout"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "holdout_searchGrams_idx" ON "holdout" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);
CREATE INDEX "holdout_tags_idx" ON "holdout" USING GIN ("tags");

CREATE TABLE "layer" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "layer_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "layer_projectID_createdTime_id_idx" ON "layer"("projectID", "createdTime" DESC, "id");
CREATE INDEX "layer_projectID_lastModifiedTime_id_idx" ON "layer"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "layer_projectID_sortName_id_idx" ON "layer"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "layer_searchGrams_idx" ON "layer" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

CREATE TABLE "overrides" (
    "projectID" TEXT NOT NULL,
    "ownerType" TEXT NOT NULL,
    "ownerID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "overrides_pkey" PRIMARY KEY ("projectID","ownerType","ownerID")
);

CREATE TABLE "segment" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "isArchived" BOOLEAN NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "segment_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "segment_projectID_createdTime_id_idx" ON "segment"("projectID", "createdTime" DESC, "id");
CREATE INDEX "segment_projectID_lastModifiedTime_id_idx" ON "segment"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "segment_projectID_sortName_id_idx" ON "segment"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "segment_searchGrams_idx" ON "segment" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

CREATE TABLE "segment_id" (
    "projectID" TEXT NOT NULL,
    "segmentID" TEXT NOT NULL,
    "id" TEXT NOT NULL COLLATE "C",

    CONSTRAINT "segment_id_pkey" PRIMARY KEY ("projectID","segmentID","id")
);

CREATE TABLE "segment_id_change" (
    "projectID" TEXT NOT NULL,
    "segmentID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "start" BIGINT NOT NULL,
    "lines" TEXT NOT NULL,

    CONSTRAINT "segment_id_change_pkey" PRIMARY KEY ("projectID","segmentID","version")
);

CREATE TABLE "param_store" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "param_store_pkey" PRIMARY KEY ("projectID","name")
);
CREATE INDEX "param_store_projectID_createdTime_name_idx" ON "param_store"("projectID", "createdTime" DESC, "name");
CREATE INDEX "param_store_projectID_lastModifiedTime_name_idx" ON "param_store"("projectID", "lastModifiedTime" DESC, "name");
CREATE INDEX "param_store_projectID_sortName_name_idx" ON "param_store"("projectID", "sortName" COLLATE "C", "name");
CREATE INDEX "param_store_searchGrams_idx" ON "param_store" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

CREATE TABLE "prompt" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "prompt_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "prompt_projectID_createdTime_id_idx" ON "prompt"("projectID", "createdTime" DESC, "id");
CREATE INDEX "prompt_projectID_lastModifiedTime_id_idx" ON "prompt"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "prompt_projectID_sortName_id_idx" ON "prompt"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "prompt_searchGrams_idx" ON "prompt" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

-- What entities refer to

CREATE TABLE "reference" (
    "projectID" TEXT NOT NULL,
    "fromType" TEXT NOT NULL,
    "fromID" TEXT NOT NULL,
    "toType" TEXT NOT NULL,
    "toID" TEXT NOT NULL,
    "fromTime" BIGINT NOT NULL,

    CONSTRAINT "reference_pkey" PRIMARY KEY ("projectID","fromType","fromID","toType","toID")
);
CREATE INDEX "reference_projectID_toType_toID_fromType_fromTime_fromID_idx" ON "reference"("projectID", "toType", "toID", "fromType", "fromTime" DESC, "fromID");

CREATE TABLE "environment_set" (
    "projectID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "environment_set_pkey" PRIMARY KEY ("projectID")
);

CREATE TABLE "release_pipeline" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "release_pipeline_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "release_pipeline_projectID_createdTime_id_idx" ON "release_pipeline"("projectID", "createdTime" DESC, "id");
CREATE INDEX "release_pipeline_projectID_lastModifiedTime_id_idx" ON "release_pipeline"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "release_pipeline_projectID_sortName_id_idx" ON "release_pipeline"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "release_pipeline_searchGrams_idx" ON "release_pipeline" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

CREATE TABLE "tag" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "caselessName" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "tag_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "tag_projectID_createdTime_id_idx" ON "tag"("projectID", "createdTime" DESC, "id");
CREATE INDEX "tag_projectID_lastModifiedTime_id_idx" ON "tag"("projectID", "lastModifiedTime" DESC, "id");
CREATE UNIQUE INDEX "tag_projectID_name_key" ON "tag"("projectID", "name");
CREATE UNIQUE INDEX "tag_projectID_caselessName_key" ON "tag"("projectID", "caselessName");
CREATE INDEX "tag_projectID_sortName_id_idx" ON "tag"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "tag_searchGrams_idx" ON "tag" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

CREATE TABLE "target_app" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "caselessName" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "target_app_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "target_app_projectID_createdTime_id_idx" ON "target_app"("projectID", "createdTime" DESC, "id");
CREATE INDEX "target_app_projectID_lastModifiedTime_id_idx" ON "target_app"("projectID", "lastModifiedTime" DESC, "id");
CREATE UNIQUE INDEX "target_app_projectID_name_key" ON "target_app"("projectID", "name");
CREATE UNIQUE INDEX "target_app_projectID_caselessName_key" ON "target_app"("projectID", "caselessName");
CREATE INDEX "target_app_projectID_sortName_id_idx" ON "target_app"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "target_app_searchGrams_idx" ON "target_app" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

CREATE TABLE "unit_id_type" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "caselessName" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "unit_id_type_pkey" PRIMARY KEY ("projectID","id")
);
CREATE UNIQUE INDEX "unit_id_type_projectID_caselessName_key" ON "unit_id_type"("projectID", "caselessName");
CREATE INDEX "unit_id_type_projectID_createdTime_id_idx" ON "unit_id_type"("projectID", "createdTime" DESC, "id");
CREATE INDEX "unit_id_type_projectID_lastModifiedTime_id_idx" ON "unit_id_type"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "unit_id_type_projectID_sortName_id_idx" ON "unit_id_type"("projectID", "sortName" COLLATE "C", "id");
CREATE INDEX "unit_id_type_searchGrams_idx" ON "unit_id_type" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

-- Events and exposures

-- One partition for each day of arrival. The server creates and drops them.
CREATE TABLE "event" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "time" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "day" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "userID" TEXT NOT NULL,
    "customIDs" TEXT,
    "value" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "exposed" TEXT,
    "ruleID" TEXT,
    "metadata" TEXT NOT NULL,
    "secondaryExposures" TEXT,
    "userFields" TEXT,

    CONSTRAINT "event_pkey" PRIMARY KEY ("projectID","name","time","id","day")
) PARTITION BY RANGE ("day");
CREATE INDEX "event_projectID_exposed_day_id_idx" ON "event"("projectID", "exposed", "day", "id") WHERE "exposed" IS NOT NULL;

CREATE TABLE "event_count" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "count" BIGINT NOT NULL,
    "firstTime" BIGINT NOT NULL,
    "lastTime" BIGINT NOT NULL,

    CONSTRAINT "event_count_pkey" PRIMARY KEY ("projectID","name","day")
);

CREATE TABLE "event_receipt" (
    "projectID" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "time" BIGINT NOT NULL,

    CONSTRAINT "event_receipt_pkey" PRIMARY KEY ("projectID","key")
);
CREATE INDEX "event_receipt_time_idx" ON "event_receipt"("time");

CREATE TABLE "dropped_event_day" (
    "day" INTEGER NOT NULL,

    CONSTRAINT "dropped_event_day_pkey" PRIMARY KEY ("day")
);

CREATE TABLE "kept_event" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "time" BIGINT NOT NULL,
    "id" BIGINT NOT NULL,
    "day" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "userID" TEXT NOT NULL,
    "customIDs" TEXT,
    "value" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "exposed" TEXT,
    "ruleID" TEXT,
    "metadata" TEXT NOT NULL,
    "userFields" TEXT,
    "secondaryExposures" TEXT,

    CONSTRAINT "kept_event_pkey" PRIMARY KEY ("projectID","name","time","id","day")
);
CREATE INDEX "kept_event_day_idx" ON "kept_event"("day");

CREATE TABLE "kept_unit" (
    "projectID" TEXT NOT NULL,
    "run" TEXT NOT NULL,
    "idType" TEXT NOT NULL,
    "unitID" TEXT NOT NULL,
    "fromTime" BIGINT NOT NULL,

    CONSTRAINT "kept_unit_pkey" PRIMARY KEY ("projectID","run","idType","unitID")
);

CREATE TABLE "experiment_exposure" (
    "projectID" TEXT NOT NULL,
    "experimentID" TEXT NOT NULL,
    "groupID" TEXT NOT NULL,
    "unitID" TEXT NOT NULL,
    "firstTime" BIGINT NOT NULL,
    "environment" TEXT NOT NULL,
    "userFields" TEXT,

    CONSTRAINT "experiment_exposure_pkey" PRIMARY KEY ("projectID","experimentID","groupID","unitID","environment")
);

CREATE TABLE "experiment_exposure_count" (
    "projectID" TEXT NOT NULL,
    "experimentID" TEXT NOT NULL,
    "groupID" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "units" BIGINT NOT NULL,
    "quarter" INTEGER NOT NULL,
    "environment" TEXT NOT NULL,

    CONSTRAINT "experiment_exposure_count_pkey" PRIMARY KEY ("projectID","experimentID","groupID","day","quarter","environment")
);

CREATE TABLE "exposure_tally" (
    "projectID" TEXT NOT NULL,
    "experimentID" TEXT NOT NULL,
    "run" BIGINT NOT NULL,
    "environment" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "exposures" BIGINT NOT NULL,

    CONSTRAINT "exposure_tally_pkey" PRIMARY KEY ("projectID","experimentID","run","environment","kind")
);

CREATE TABLE "check_exposure" (
    "projectID" TEXT NOT NULL,
    "entityType" TEXT NOT NULL,
    "entityID" TEXT NOT NULL,
    "ruleID" TEXT NOT NULL,
    "passed" BOOLEAN NOT NULL,
    "unitID" TEXT NOT NULL,
    "firstTime" BIGINT NOT NULL,
    "environment" TEXT NOT NULL,
    "userFields" TEXT,

    CONSTRAINT "check_exposure_pkey" PRIMARY KEY ("projectID","entityType","entityID","ruleID","passed","unitID","environment")
);

CREATE TABLE "experiment_checks" (
    "projectID" TEXT NOT NULL,
    "experimentID" TEXT NOT NULL,
    "hour" BIGINT NOT NULL,
    "checks" BIGINT NOT NULL,

    CONSTRAINT "experiment_checks_pkey" PRIMARY KEY ("projectID","experimentID","hour")
);

CREATE TABLE "gate_checks" (
    "projectID" TEXT NOT NULL,
    "gateID" TEXT NOT NULL,
    "hour" BIGINT NOT NULL,
    "environment" TEXT NOT NULL,
    "passes" BIGINT NOT NULL,
    "fails" BIGINT NOT NULL,
    "empties" BIGINT NOT NULL,

    CONSTRAINT "gate_checks_pkey" PRIMARY KEY ("projectID","gateID","hour","environment")
);

CREATE TABLE "gate_rule_checks" (
    "projectID" TEXT NOT NULL,
    "gateID" TEXT NOT NULL,
    "hour" BIGINT NOT NULL,
    "environment" TEXT NOT NULL,
    "ruleID" TEXT NOT NULL,
    "passes" BIGINT NOT NULL,
    "fails" BIGINT NOT NULL,

    CONSTRAINT "gate_rule_checks_pkey" PRIMARY KEY ("projectID","gateID","hour","environment","ruleID")
);

CREATE TABLE "dynamic_config_checks" (
    "projectID" TEXT NOT NULL,
    "configID" TEXT NOT NULL,
    "hour" BIGINT NOT NULL,
    "checks" BIGINT NOT NULL,

    CONSTRAINT "dynamic_config_checks_pkey" PRIMARY KEY ("projectID","configID","hour")
);

-- Rows on their way to ClickHouse, if events are stored there.
CREATE TABLE "event_outbox" (
    "id" BIGSERIAL NOT NULL,
    "events" TEXT,
    "experimentExposures" TEXT,
    "checkExposures" TEXT,
    "deletion" TEXT,
    "size" INTEGER NOT NULL,
    "parcel" TEXT,
    "claimedTime" BIGINT,

    CONSTRAINT "event_outbox_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "event_outbox_claimedTime_idx" ON "event_outbox"("claimedTime");
CREATE INDEX "event_outbox_parcel_idx" ON "event_outbox"("parcel");

CREATE TABLE "event_engine" (
    "name" TEXT NOT NULL,

    CONSTRAINT "event_engine_pkey" PRIMARY KEY ("name")
);

-- Metrics and results

CREATE TABLE "metric" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "caselessName" TEXT NOT NULL,
    "isHidden" BOOLEAN NOT NULL,
    "tags" TEXT[],
    "events" TEXT[],
    "dueTime" BIGINT,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "metric_pkey" PRIMARY KEY ("projectID","id")
);
CREATE UNIQUE INDEX "metric_projectID_caselessName_key" ON "metric"("projectID", "caselessName");
CREATE INDEX "metric_dueTime_idx" ON "metric"("dueTime");
CREATE INDEX "metric_events_idx" ON "metric" USING GIN ("events");
CREATE INDEX "metric_projectID_createdTime_id_idx" ON "metric"("projectID", "createdTime" DESC, "id");
CREATE INDEX "metric_projectID_lastModifiedTime_id_idx" ON "metric"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "metric_projectID_sortName_id_idx" ON "metric"("projectID", "sortName", "id");
CREATE INDEX "metric_searchGrams_idx" ON "metric" USING GIN ("searchGrams");

CREATE TABLE "pulse_load" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "subjectID" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorName" TEXT,
    "reloadType" TEXT NOT NULL,
    "turboMode" BOOLEAN NOT NULL,
    "startTime" BIGINT NOT NULL,
    "endTime" BIGINT NOT NULL,
    "metrics" TEXT NOT NULL,
    "jobs" TEXT NOT NULL,
    "runner" TEXT,
    "leasedUntil" BIGINT NOT NULL,
    "finishedTime" BIGINT,
    "finishedState" TEXT,
    "subjectType" TEXT NOT NULL,
    "ruleID" TEXT NOT NULL,
    "units" TEXT,
    "timeZone" TEXT NOT NULL,

    CONSTRAINT "pulse_load_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "pulse_load_finishedTime_leasedUntil_idx" ON "pulse_load"("finishedTime", "leasedUntil");
CREATE INDEX "pulse_load_projectID_leasedUntil_idx" ON "pulse_load"("projectID", "leasedUntil");
CREATE INDEX "pulse_load_subject_idx" ON "pulse_load"("projectID", "subjectType", "subjectID", "ruleID", "createdTime" DESC, "id");

CREATE TABLE "pulse_moments" (
    "projectID" TEXT NOT NULL,
    "subjectID" TEXT NOT NULL,
    "metricID" TEXT NOT NULL,
    "startTime" BIGINT NOT NULL,
    "endTime" BIGINT NOT NULL,
    "loadedTime" BIGINT NOT NULL,
    "version" INTEGER,
    "latest" TEXT NOT NULL,
    "daily" TEXT,
    "subjectType" TEXT NOT NULL,
    "ruleID" TEXT NOT NULL,
    "timeZone" TEXT NOT NULL,

    CONSTRAINT "pulse_moments_pkey" PRIMARY KEY ("projectID","subjectType","subjectID","ruleID","metricID")
);

CREATE TABLE "load_state" (
    "id" BIGSERIAL NOT NULL,
    "projectID" TEXT NOT NULL,
    "subjectType" TEXT NOT NULL,
    "subjectID" TEXT NOT NULL,
    "ruleID" TEXT NOT NULL,
    "idType" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "arrivals" TEXT NOT NULL,
    "nextUnit" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updatedTime" BIGINT NOT NULL,
    "checkedTime" BIGINT NOT NULL DEFAULT 0,
    "drift" DOUBLE PRECISION,

    CONSTRAINT "load_state_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "load_state_projectID_subjectType_subjectID_ruleID_idx" ON "load_state"("projectID", "subjectType", "subjectID", "ruleID");

CREATE TABLE "unit_state" (
    "projectID" TEXT NOT NULL,
    "stateID" BIGINT NOT NULL,
    "shard" INTEGER NOT NULL,
    "unitID" TEXT NOT NULL,
    "unit" INTEGER NOT NULL,
    "groupID" TEXT NOT NULL,
    "since" BIGINT NOT NULL,
    "isCollected" BOOLEAN NOT NULL,

    CONSTRAINT "unit_state_pkey" PRIMARY KEY ("stateID","shard","unitID")
);

CREATE TABLE "unit_day" (
    "projectID" TEXT NOT NULL,
    "stateID" BIGINT NOT NULL,
    "shard" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "rows" BYTEA NOT NULL,

    CONSTRAINT "unit_day_pkey" PRIMARY KEY ("stateID","shard","day")
);

-- To compress numbers costs more than it saves.
ALTER TABLE "unit_day" ALTER COLUMN "rows" SET STORAGE EXTERNAL;

-- Health and alerts

CREATE TABLE "experiment_health" (
    "projectID" TEXT NOT NULL,
    "experimentID" TEXT NOT NULL,
    "startTime" BIGINT NOT NULL,
    "checkedTime" BIGINT NOT NULL,
    "checks" TEXT NOT NULL,
    "events" TEXT,

    CONSTRAINT "experiment_health_pkey" PRIMARY KEY ("projectID","experimentID")
);

CREATE TABLE "autotune_progress" (
    "projectID" TEXT NOT NULL,
    "autotuneID" TEXT NOT NULL,
    "startTime" BIGINT NOT NULL,
    "beginTime" BIGINT NOT NULL,
    "checkedTime" BIGINT,
    "learned" TEXT NOT NULL,

    CONSTRAINT "autotune_progress_pkey" PRIMARY KEY ("projectID","autotuneID")
);

CREATE TABLE "guardrail_check" (
    "projectID" TEXT NOT NULL,
    "subjectID" TEXT NOT NULL,
    "beginTime" BIGINT NOT NULL,
    "checkedTime" BIGINT,
    "found" TEXT NOT NULL,
    "subjectType" TEXT NOT NULL,

    CONSTRAINT "guardrail_check_pkey" PRIMARY KEY ("projectID","subjectType","subjectID")
);

CREATE TABLE "guardrail_alert" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "subjectID" TEXT NOT NULL,
    "partID" TEXT NOT NULL,
    "metricID" TEXT NOT NULL,
    "raisedTime" BIGINT NOT NULL,
    "finding" TEXT NOT NULL,
    "resolvedTime" BIGINT,
    "resolvedBy" TEXT,
    "reasoning" TEXT,
    "subjectType" TEXT NOT NULL,

    CONSTRAINT "guardrail_alert_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "guardrail_alert_subject_idx" ON "guardrail_alert"("projectID", "subjectType", "subjectID", "raisedTime" DESC, "id");

CREATE TABLE "alert" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "tags" TEXT[],
    "checkIntervalMs" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "alert_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "alert_projectID_createdTime_id_idx" ON "alert"("projectID", "createdTime" DESC, "id");
CREATE INDEX "alert_projectID_lastModifiedTime_id_idx" ON "alert"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "alert_projectID_sortName_id_idx" ON "alert"("projectID", "sortName", "id");
CREATE INDEX "alert_searchGrams_idx" ON "alert" USING GIN ("searchGrams");
CREATE INDEX "alert_tags_idx" ON "alert" USING GIN ("tags");

CREATE TABLE "alert_check" (
    "projectID" TEXT NOT NULL,
    "alertID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "beginTime" BIGINT NOT NULL,
    "state" TEXT NOT NULL,

    CONSTRAINT "alert_check_pkey" PRIMARY KEY ("projectID","alertID")
);

CREATE TABLE "alert_event" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "alertID" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "event" TEXT NOT NULL,

    CONSTRAINT "alert_event_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "alert_event_projectID_alertID_number_idx" ON "alert_event"("projectID", "alertID", "number" DESC);

-- Warehouses

CREATE TABLE "warehouse_connection" (
    "projectID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "warehouse_connection_pkey" PRIMARY KEY ("projectID")
);

CREATE TABLE "warehouse_secret" (
    "projectID" TEXT NOT NULL,
    "encrypted" TEXT NOT NULL,

    CONSTRAINT "warehouse_secret_pkey" PRIMARY KEY ("projectID")
);

CREATE TABLE "metric_source" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],

    CONSTRAINT "metric_source_pkey" PRIMARY KEY ("projectID","name")
);
CREATE INDEX "metric_source_projectID_createdTime_name_idx" ON "metric_source"("projectID", "createdTime" DESC, "name");
CREATE INDEX "metric_source_projectID_lastModifiedTime_name_idx" ON "metric_source"("projectID", "lastModifiedTime" DESC, "name");
CREATE INDEX "metric_source_projectID_sortName_name_idx" ON "metric_source"("projectID", "sortName" COLLATE "C", "name");
CREATE INDEX "metric_source_searchGrams_idx" ON "metric_source" USING GIN ("searchGrams") WITH (gin_pending_list_limit = 256);

CREATE TABLE "assignment_source" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "assignment_source_pkey" PRIMARY KEY ("projectID","name")
);
CREATE INDEX "assignment_source_projectID_createdTime_name_idx" ON "assignment_source"("projectID", "createdTime" DESC, "name");
CREATE INDEX "assignment_source_projectID_lastModifiedTime_name_idx" ON "assignment_source"("projectID", "lastModifiedTime" DESC, "name");
CREATE INDEX "assignment_source_projectID_sortName_name_idx" ON "assignment_source"("projectID", "sortName", "name");
CREATE INDEX "assignment_source_searchGrams_idx" ON "assignment_source" USING GIN ("searchGrams");

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
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "entity_property_source_pkey" PRIMARY KEY ("projectID","name")
);
CREATE INDEX "entity_property_source_projectID_createdTime_name_idx" ON "entity_property_source"("projectID", "createdTime" DESC, "name");
CREATE INDEX "entity_property_source_projectID_lastModifiedTime_name_idx" ON "entity_property_source"("projectID", "lastModifiedTime" DESC, "name");
CREATE INDEX "entity_property_source_projectID_sortName_name_idx" ON "entity_property_source"("projectID", "sortName", "name");
CREATE INDEX "entity_property_source_searchGrams_idx" ON "entity_property_source" USING GIN ("searchGrams");

CREATE TABLE "qualifying_event" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "qualifying_event_pkey" PRIMARY KEY ("projectID","name")
);
CREATE INDEX "qualifying_event_projectID_createdTime_name_idx" ON "qualifying_event"("projectID", "createdTime" DESC, "name");
CREATE INDEX "qualifying_event_projectID_lastModifiedTime_name_idx" ON "qualifying_event"("projectID", "lastModifiedTime" DESC, "name");
CREATE INDEX "qualifying_event_projectID_sortName_name_idx" ON "qualifying_event"("projectID", "sortName", "name");
CREATE INDEX "qualifying_event_searchGrams_idx" ON "qualifying_event" USING GIN ("searchGrams");

-- Rows copied from warehouses

CREATE TABLE "ingestion_source" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "dataset" TEXT NOT NULL,
    "isEnabled" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ingestion_source_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "ingestion_source_projectID_createdTime_id_idx" ON "ingestion_source"("projectID", "createdTime" DESC, "id");
CREATE INDEX "ingestion_source_projectID_lastModifiedTime_id_idx" ON "ingestion_source"("projectID", "lastModifiedTime" DESC, "id");
CREATE INDEX "ingestion_source_projectID_sortName_id_idx" ON "ingestion_source"("projectID", "sortName", "id");
CREATE INDEX "ingestion_source_searchGrams_idx" ON "ingestion_source" USING GIN ("searchGrams");

CREATE TABLE "ingestion_schedule" (
    "projectID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ingestion_schedule_pkey" PRIMARY KEY ("projectID")
);

CREATE TABLE "ingestion_day" (
    "projectID" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "definition" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "pass" INTEGER NOT NULL,
    "cursor" TEXT NOT NULL,
    "seen" BIGINT NOT NULL,
    "refused" BIGINT NOT NULL,
    "message" TEXT,
    "rows" BIGINT,
    "copied" BIGINT NOT NULL,
    "updatedTime" BIGINT NOT NULL,

    CONSTRAINT "ingestion_day_pkey" PRIMARY KEY ("projectID","source","day")
);

CREATE TABLE "ingestion_rows" (
    "projectID" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "pass" INTEGER NOT NULL,
    "first" TEXT NOT NULL,
    "last" TEXT NOT NULL,
    "identities" TEXT NOT NULL,

    CONSTRAINT "ingestion_rows_pkey" PRIMARY KEY ("projectID","source","day","first","pass")
);

CREATE TABLE "ingestion_count" (
    "projectID" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "event" TEXT NOT NULL,
    "copied" BIGINT NOT NULL,
    "seen" BIGINT NOT NULL,
    "found" BIGINT NOT NULL,
    "updatedTime" BIGINT NOT NULL,

    CONSTRAINT "ingestion_count_pkey" PRIMARY KEY ("projectID","source","day","event")
);

CREATE TABLE "ingestion_run" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "dataset" TEXT NOT NULL,
    "trigger" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorName" TEXT,
    "isPlanned" BOOLEAN NOT NULL,
    "history" TEXT NOT NULL,
    "updatedTime" BIGINT NOT NULL,
    "runner" TEXT,
    "leasedUntil" BIGINT NOT NULL,
    "finishedTime" BIGINT,

    CONSTRAINT "ingestion_run_pkey" PRIMARY KEY ("projectID","id")
);
CREATE INDEX "ingestion_run_finishedTime_leasedUntil_idx" ON "ingestion_run"("finishedTime", "leasedUntil");
CREATE INDEX "ingestion_run_projectID_leasedUntil_idx" ON "ingestion_run"("projectID", "leasedUntil");
CREATE INDEX "ingestion_run_projectID_createdTime_idx" ON "ingestion_run"("projectID", "createdTime" DESC);

CREATE TABLE "ingestion_run_day" (
    "projectID" TEXT NOT NULL,
    "runID" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "history" TEXT NOT NULL,
    "rows" BIGINT NOT NULL,
    "copied" BIGINT NOT NULL,
    "refused" BIGINT NOT NULL,
    "message" TEXT,

    CONSTRAINT "ingestion_run_day_pkey" PRIMARY KEY ("projectID","runID","source","day")
);
