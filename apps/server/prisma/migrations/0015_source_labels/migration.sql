-- Works with servers whose last migration is 0014_publishing, which do not know the columns.
-- Lists filter by the tags, the team and the owner of sources and qualifying events.

-- AlterTable
ALTER TABLE "assignment_source" ADD COLUMN     "ownerID" TEXT,
ADD COLUMN     "tags" TEXT[],
ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "entity_property_source" ADD COLUMN     "ownerID" TEXT,
ADD COLUMN     "tags" TEXT[],
ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "metric_source" ADD COLUMN     "ownerID" TEXT,
ADD COLUMN     "tags" TEXT[],
ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "qualifying_event" ADD COLUMN     "ownerID" TEXT,
ADD COLUMN     "tags" TEXT[],
ADD COLUMN     "teamID" TEXT;
