import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { query, type Schema } from "../../api.ts";
import { nameOf } from "../../entity/mentions.ts";
import { useReviewTitle } from "../../entity/use-change-words.ts";
import { entityNoun } from "../../kinds/kinds.ts";
import { useAccount } from "../../session/account.ts";
import { Page } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { reasonTexts } from "../../targeting/requirement-words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { type PageSearch, pageRequest, type Status, TABS, type Tab } from "./page-search.ts";
import { STATUSES } from "./review-words.ts";
import styles from "./reviews.module.css";

const FROM = "/projects/$projectID/reviews";
const OPEN = "open";
const OPTIONS = [
  { id: OPEN, label: "Open" },
  ...Object.entries(STATUSES).map(([id, { name }]) => ({ id, label: name })),
  { id: "all", label: "All" },
];

/** Reviews that need the reader, the reader's own, and all of the project. */
export default function ReviewsPage() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { tab, type, entity } = search;
  const open = (chosen: Tab) => {
    const { page: _, tab: __, status: ___, ...others } = search;
    void navigate({ search: { ...others, ...(chosen !== "needed" && { tab: chosen }) } });
  };
  return (
    <Page title="Reviews">
      {type !== undefined && entity !== undefined && (
        <p className={styles.soft}>
          Showing changes to the {entityNoun(type)} <code>{entity}</code>.{" "}
          <Button look="quiet" onPress={() => void navigate({ search: tab === undefined ? {} : { tab } })}>
            Show all entities
          </Button>
        </p>
      )}
      <Tabs
        label="Reviews"
        selected={tab ?? "needed"}
        onSelect={open}
        tabs={(Object.keys(TABS) as Tab[]).map((id) => ({ id, label: TABS[id], content: () => <Reviews search={search} /> }))}
      />
    </Page>
  );
}

function Reviews({ search }: { search: PageSearch }) {
  const navigate = useNavigate({ from: FROM });
  const { person } = useAccount();
  const { data: answer } = useSuspenseQuery(query("listReviews", pageRequest(search, person.id)));
  const { tab, status = OPEN } = search;
  return (
    <div className={styles.reviews}>
      {tab !== undefined && (
        <search className={styles.filters} aria-label="Filters">
          <Select
            label="Status"
            options={OPTIONS}
            value={status}
            onChange={(id) => {
              const { page: _, status: __, ...others } = search;
              void navigate({ search: { ...others, ...(id !== OPEN && { status: id as Status | "all" }) } });
            }}
          />
        </search>
      )}
      {answer.data.length === 0 ? (
        <NoReviews search={search} />
      ) : (
        <ol className={styles.list} aria-label="Reviews">
          {answer.data.map((review) => (
            <ReviewItem key={review.id} review={review} />
          ))}
        </ol>
      )}
      <Pager
        pagination={answer.pagination}
        noun="reviews"
        onPage={(page) => {
          const { page: _, ...others } = search;
          void navigate({ search: { ...others, ...(page > 1 && { page }) } });
        }}
      />
    </div>
  );
}

function NoReviews({ search: { tab, status, entity } }: { search: PageSearch }) {
  if (tab === undefined) return <Empty title="No reviews need your approval">Changes that you can approve are listed here.</Empty>;
  if (status !== undefined || entity !== undefined) return <Empty title="No reviews match" />;
  if (tab === "own") return <Empty title="You have no open reviews">Changes that you request a review for are listed here.</Empty>;
  return (
    <Empty title="No open reviews">
      Changes that need a review are listed here. You can require reviews for the project, an environment, a team, a gate or an experiment.
    </Empty>
  );
}

function ReviewItem({ review }: { review: Schema<"Review"> }) {
  const { projectID } = useParams({ from: FROM });
  const { id, status, author, reason, createdTime, requirements, comments } = review;
  const { name, tone } = STATUSES[status];
  return (
    <li className={styles.item} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>
          <Link to="/projects/$projectID/reviews/$id" params={{ projectID, id }}>
            <bdi>{useReviewTitle(review)}</bdi>
          </Link>
        </h2>
        <Badge tone={tone}>{name}</Badge>
      </div>
      {reason !== null && (
        <p>
          <bdi>{reason}</bdi>
        </p>
      )}
      <p className={styles.facts}>
        <span>
          Requested by <bdi>{nameOf(author)}</bdi> <Time time={createdTime} />
        </span>
        <span>{reasonTexts(requirements).join(" ")}</span>
        {comments.length > 0 && <span>{comments.length === 1 ? "1 comment" : `${comments.length} comments`}</span>}
      </p>
    </li>
  );
}
