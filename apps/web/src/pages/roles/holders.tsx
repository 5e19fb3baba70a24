import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { membersRequest } from "../../session/members.ts";
import { personName } from "../../session/names.ts";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";

function useHolders(role: string) {
  const { data, error } = useQuery(query("listUsers", membersRequest));
  return { holders: data?.data.filter((member) => member.role === role), error };
}

/** The members of the project with the role. */
export function Holders({ role }: { role: string }) {
  const { projectID } = useParams({ from: "/projects/$projectID/roles/$id" });
  const { holders, error } = useHolders(role);
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!holders) return <Loading label="Loading members" />;
  if (holders.length === 0) return <Empty title="No members with this role">Assign it on the People page.</Empty>;
  return (
    <div className={entity.scroll}>
      <table className={entity.table} aria-label="Members with this role">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Email</th>
            <th scope="col">Member since</th>
          </tr>
        </thead>
        <tbody>
          {holders.map((member) => (
            <tr key={member.id}>
              <th scope="row">
                <Link to="/projects/$projectID/people" params={{ projectID }} search={{ person: member.id }}>
                  <bdi>{personName(member)}</bdi>
                </Link>
              </th>
              <td>
                <bdi>{member.email}</bdi>
              </td>
              <td>
                <Time time={member.createdTime} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** For the review of a deletion: the people left without a role. */
export function LosesRole({ role }: { role: string }) {
  const { holders = [] } = useHolders(role);
  if (holders.length === 0) return <p>Keys with this role lose all permissions.</p>;
  return (
    <Notice tone="warn" title={holders.length === 1 ? "1 person has this role" : `${holders.length} people have this role`}>
      <bdi>{holders.map(({ email }) => email).join(", ")}</bdi> lose all permissions in this project until they get another role. Keys with
      this role lose them too.
    </Notice>
  );
}
