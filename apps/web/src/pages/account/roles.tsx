import { Link } from "@tanstack/react-router";
import entity from "../../entity/entity.module.css";
import { useAccount } from "../../session/account.ts";
import { countPermissions, PERMISSION_WORDS } from "../../session/permissions.ts";
import { Section } from "../../shell/page.tsx";
import { Notice } from "../../ui/notice.tsx";

/** The person's roles by project. */
export function Roles() {
  const { person, projects } = useAccount();
  return (
    <Section title="Your access">
      {person.isAdministrator && <Notice>You’re a server administrator, with full access to all projects.</Notice>}
      <div className={entity.scroll}>
        <table className={entity.table} aria-label="Your access">
          <thead>
            <tr>
              <th scope="col">Project</th>
              <th scope="col">Your role</th>
              <th scope="col">Permissions</th>
            </tr>
          </thead>
          <tbody>
            {projects.map(({ id, name, role, permissions }) => (
              <tr key={id}>
                <th scope="row">
                  <Link to="/projects/$projectID" params={{ projectID: id }}>
                    <bdi>{name}</bdi>
                  </Link>
                </th>
                <td>
                  <Link to="/projects/$projectID/roles/$id" params={{ projectID: id, id: role }}>
                    <bdi>{role}</bdi>
                  </Link>
                </td>
                <td>
                  {countPermissions(permissions)} of {PERMISSION_WORDS.size}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
