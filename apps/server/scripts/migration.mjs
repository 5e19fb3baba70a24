// Prints the SQL of the next migration: `node scripts/migration.mjs > prisma/migrations/<n>_<name>/migration.sql`
import { schemaDifference } from "./schema-difference.mjs";

process.stdout.write(await schemaDifference());
