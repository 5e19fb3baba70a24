import { useNavigate } from "@tanstack/react-router";
import { call, invalidate } from "../../api.ts";
import { CreateEntity } from "../../entity/create-entity.tsx";

export function CreateTeam({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate({ from: "/projects/$projectID/teams" });
  return (
    <CreateEntity
      noun="team"
      isOpen
      onClose={onClose}
      nameHint="It can be changed later."
      create={async ({ name, description }) => {
        const { data } = await call("createTeam", { body: { name, description } });
        await invalidate("listTeams", "listChanges");
        await navigate({ to: "/projects/$projectID/teams/$id", params: (params) => ({ ...params, id: data.id }) });
      }}
    />
  );
}
