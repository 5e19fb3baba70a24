import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from "react-aria-components";
import { query } from "../api.ts";
import { BASE_PATH } from "../base-path.ts";
import { pageRoute } from "../kinds/kinds.ts";
import { useAccount } from "../session/account.ts";
import { isFound, membersRequest } from "../session/members.ts";
import { personName } from "../session/names.ts";
import { useFavorites } from "./favorites.ts";
import { usePageActions } from "./page-actions.ts";
import styles from "./palette.module.css";
import { type Command, copyLink, useCreations, useEntityActions, useOwnedLists } from "./palette-actions.ts";
import { PARTS, PLACES, personalPlaces } from "./places.ts";
import { MAX_FOUND, useFound } from "./use-found.ts";

/** Pages, the page's actions, and entities and people by search. */
export default function Palette({ onClose }: { onClose: () => void }) {
  return (
    <ModalOverlay className={styles.overlay ?? ""} isOpen onOpenChange={onClose} isDismissable>
      <Modal className={styles.modal ?? ""}>
        <Dialog aria-label="Search everything" className={styles.dialog ?? ""}>
          <Commands onDone={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Commands({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState("");
  const { contains } = useFilter({ sensitivity: "base" });
  const search = useDeferredValue(text.trim());
  const found = useEntities(search);
  const { people, owned } = usePeople(search.replace(/^.* of /i, ""));
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const navigate = useNavigate();
  const { person } = useAccount();
  const pages: Command[] = [...PLACES, ...personalPlaces(person)].map(({ to, label }) => ({
    id: to,
    label,
    hint: "Page",
    run: () => void navigate({ to, params: { projectID } }),
  }));
  const parts: Command[] = PARTS.map(({ to, search, label, hint }) => ({
    id: `part:${label}`,
    label,
    hint,
    run: () => void navigate({ to, search, params: { projectID } }),
  }));
  const actions: Command[] = usePageActions().map(({ id, label, run }) => ({ id: `action:${id}`, label, run }));
  const creations = useCreations();
  const { history } = useRouter();
  const favorites: Command[] = useFavorites().map(({ path, name, noun }) => ({
    id: `favorite:${path}`,
    label: name,
    hint: noun,
    run: () => history.push(BASE_PATH + path),
  }));
  const own = useOwnedLists()(person.id);
  const copy: Command = { id: "copy", label: "Copy link to this page", run: () => void copyLink(location.href) };
  const isShown = ({ label }: Command) => contains(label, text);
  const groups = [
    { name: "This page", commands: [...actions, copy].filter(isShown) },
    { name: "Favorites", commands: favorites.filter(isShown) },
    { name: "Pages", commands: [...pages, ...parts, ...own].filter(isShown) },
    { name: "Create", commands: search === "" ? [] : creations.filter(isShown) },
    ...found,
    // Behind entities, so that the first result for the name of one leads to it.
    { name: "Actions", commands: useEntityActions(search) },
    { name: "People", commands: people },
    { name: "Owned", commands: owned },
  ].filter(({ commands }) => commands.length > 0);
  const all = groups.flatMap(({ commands }) => commands);
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField aria-label="Search everything" autoFocus className={styles.search ?? ""}>
        <Input placeholder="Search entities, people, pages, and actions" />
      </SearchField>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={styles.scroll} tabIndex={0} aria-label="Results">
        <Menu
          aria-label="Found"
          className={styles.list ?? ""}
          renderEmptyState={() => <p className={styles.empty}>No matches</p>}
          onAction={(key) => {
            onDone();
            all.find(({ id }) => id === key)?.run();
          }}
        >
          {groups.map(({ name, commands }) => (
            <MenuSection key={name}>
              <Header className={styles.header ?? ""}>{name}</Header>
              {commands.map(({ id, label, hint }) => (
                <MenuItem key={id} id={id} textValue={label} className={styles.item ?? ""}>
                  <bdi>{label}</bdi>
                  {hint !== undefined && <span>{hint}</span>}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </section>
    </Autocomplete>
  );
}

/** The entities that a search finds, as commands by kind. */
function useEntities(search: string): { name: string; commands: Command[] }[] {
  const navigate = useNavigate();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  return useFound(search).map(({ type, noun, entities }) => ({
    name: noun,
    commands: entities.map(({ id, name }) => ({
      id: `${type}:${id}`,
      label: name,
      ...(id !== name && { hint: id }),
      run: () => void navigate({ to: pageRoute(type), params: { projectID, id } }),
    })),
  }));
}

/** The most people whose lists are offered. */
const MAX_OWNERS = 2;

/** The members whose name or address a search finds, and the lists of what the first of them own. */
function usePeople(search: string): { people: Command[]; owned: Command[] } {
  const listOwned = useOwnedLists();
  const navigate = useNavigate();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data } = useQuery({ ...query("listUsers", membersRequest), enabled: search !== "" });
  if (search === "") return { people: [], owned: [] };
  const found = data?.data.filter((member) => isFound(member, search)) ?? [];
  const owned = found.slice(0, MAX_OWNERS).flatMap((member) => listOwned(member.id, personName(member)));
  const people = found.slice(0, MAX_FOUND).map((member) => ({
    id: `person:${member.id}`,
    label: personName(member),
    hint: member.email,
    run: () => void navigate({ to: "/projects/$projectID/people", params: { projectID }, search: { person: member.id } }),
  }));
  return { people, owned };
}
