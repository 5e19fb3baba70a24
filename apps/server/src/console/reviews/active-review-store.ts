import type { Schema } from "@gatehouse/contract/console";
import { Prisma } from "../../generated/prisma/client.ts";

type ActiveReview = Schema<"ActiveReview">;

/** SQL of the oldest open review of a change to the entity in a row, or to its overrides. */
export function activeReviewOf(type: string, entity: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    select json_build_object('reviewID', review.id, 'reviewStatus', review.status, 'description', coalesce(review.entity::json->>'reason', ''))
    from review where review."projectID" = ${entity}."projectID" and review."isOpen"
    and review."entityKeys" && array[${`${type} `} || ${entity}."id", ${`${type}_overrides `} || ${entity}."id"] order by review."createdTime", review.id limit 1)`;
}

/** The entity with its review. Writes store the one that they read, which no later read shows. */
export function withActiveReview<E extends { activeReview?: ActiveReview }>(entity: E, review: ActiveReview | null): E {
  if (review) return { ...entity, activeReview: review };
  if (!("activeReview" in entity)) return entity;
  const { activeReview: _, ...rest } = entity;
  return rest as E;
}
