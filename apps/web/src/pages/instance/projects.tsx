import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { call, instanceQuery, invalidate, type Schema } from "../../api.ts";
import { CreateEntity } from "../../entity/create-entity.tsx";
import entity from "../../entity/entity.module.css";
import { Secret } from "../../entity/secret.tsx";
import { ActorName } from "../../shell/actor-name.tsx";
import { Section } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { DeleteProject } from "./delete-project.tsx";
import { projectsRequest } from "./search.ts";

const FROM = "/projects/$projectID/instance";

/** The command line works on it, so the server keeps it. */
const KEPT = "default";

/** Every project of the server. */
export function Projects() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { data } = useSuspenseQuery(instanceQuery("listProjects", projectsRequest(search)));
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<Schema<"NewProject">>();
  const [deleted, setDeleted] = useState<string>();
  return (
    <Section
      title="Projects"
      description="Each project has its own gates, people, roles, and keys."
      actions={
        <Button look="primary" onPress={() => setCreating(true)}>
          <Plus aria-hidden="true" />
          Create project
        </Button>
      }
    >
      <div className={entity.scroll}>
        <table className={entity.table} aria-label="Projects">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">ID</th>
              <th scope="col">Created by</th>
              <th scope="col">Created</th>
              <th scope="col">Delete</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map(({ id, name, creatorID, creatorName, createdTime }) => (
              <tr key={id}>
                <th scope="row">
                  <Link to="/projects/$projectID" params={{ projectID: id }}>
                    <bdi>{name}</bdi>
                  </Link>
                </th>
                <td>
                  <code>{id}</code>
                </td>
                <td>{creatorName === null ? "The server" : <ActorName id={creatorID} name={creatorName} />}</td>
                <td>
                  <Time time={createdTime} />
                </td>
                <td>
                  <Button
                    look="quiet"
                    aria-label={`Delete ${name}`}
                    onPress={() => setDeleted(id)}
                    disabledReason={id === KEPT ? "The command line uses this project, so it can’t be deleted." : undefined}
                  >
                    Delete
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager
        pagination={data.pagination}
        noun="projects"
        onPage={(page) => void navigate({ search: (known) => ({ ...known, page: page > 1 ? page : undefined }) })}
      />
      <CreateEntity
        noun="project"
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        hasDescription={false}
        nameHint="Names don’t have to be unique."
        create={async ({ name }) => {
          const { data: project } = await call("createProject", { body: { name } });
          await invalidate("getSession", "listProjects");
          setMade(project);
        }}
      >
        Comes with environments and a console key. You become its Admin.
      </CreateEntity>
      {made !== undefined && (
        <Secret
          title={`The console key of ${made.name}`}
          secret={made.firstKey.key ?? ""}
          onClose={() => void navigate({ to: "/projects/$projectID/start", params: { projectID: made.id } })}
        />
      )}
      {deleted !== undefined && <DeleteProject key={deleted} id={deleted} onClose={() => setDeleted(undefined)} />}
    </Section>
  );
}
