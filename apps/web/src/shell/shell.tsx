import { Link, Outlet, useParams, useRouterState } from "@tanstack/react-router";
import { Keyboard, Menu as MenuIcon, Search } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { queryClient } from "../api.ts";
import { useProject } from "../session/account.ts";
import { Button, IconButton } from "../ui/button.tsx";
import icon from "../ui/icon.svg";
import { inBackground, onDemand, soonDialog } from "../ui/soon.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { EnvironmentChoice } from "./environment-choice.tsx";
import { Navigation } from "./navigation.tsx";
import { NotificationBell } from "./notification-bell.tsx";
import { PageLoading } from "./page-loading.tsx";
import { ProjectChoice } from "./project-choice.tsx";
import styles from "./shell.module.css";
import { useShortcuts } from "./use-shortcuts.ts";

const LiveChanges = inBackground(() => import("./live-changes.tsx"));
const SampleBanner = onDemand(() => import("./sample-banner.tsx"));
const Palette = soonDialog(() => import("./palette.tsx"));
const Shortcuts = soonDialog(() => import("./shortcuts.tsx"));

/** The frame around every page of a project. */
export function Shell() {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const [isOpen, setOpen] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const [isHelping, setHelping] = useState(false);
  const { isSample } = useProject();
  const shortcuts = useShortcuts({ onSearch: () => setSearching(true), onHelp: () => setHelping(true) });
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <header className={styles.bar}>
        <span className={styles.toggle}>
          <IconButton label={isOpen ? "Hide the navigation" : "Show the navigation"} onPress={() => setOpen(!isOpen)}>
            <MenuIcon aria-hidden="true" />
          </IconButton>
        </span>
        <Link to="/projects/$projectID" params={{ projectID }} className={styles.brand} aria-label="Gatehouse, start">
          <img src={icon} alt="" />
        </Link>
        <ProjectChoice />
        <EnvironmentChoice />
        <span className={styles.space} />
        <Button look="default" onPress={() => setSearching(true)} aria-label="Search everything">
          <Search aria-hidden="true" />
          <span className={styles.wide}>Search</span>
          <kbd className={styles.wide} data-keys="Ctrl K" />
        </Button>
        <span className={styles.help}>
          <IconButton label="Keyboard shortcuts" onPress={() => setHelping(true)}>
            <Keyboard aria-hidden="true" />
          </IconButton>
        </span>
        <NotificationBell />
        <AccountMenu />
      </header>
      <div className={styles.below}>
        <Navigation isOpen={isOpen} onLeave={() => setOpen(false)} />
        <div className={styles.content}>
          {isSample && (
            <Suspense>
              <SampleBanner key={projectID} />
            </Suspense>
          )}
          <Page projectID={projectID} />
        </div>
      </div>
      <Suspense>
        {isSearching && <Palette onClose={() => setSearching(false)} />}
        {isHelping && <Shortcuts actions={shortcuts} onClose={() => setHelping(false)} />}
      </Suspense>
      <Suspense>
        <Followed key={projectID} />
      </Suspense>
    </div>
  );
}

/**
 * The page, until another project is asked for. Requests are for that project from then on, so the page is gone by then, and what it still
 * reads is given up.
 */
function Page({ projectID }: { projectID: string }) {
  const isLeft = useRouterState({ select: ({ location }) => location.pathname.split("/")[2] !== projectID });
  useEffect(() => {
    if (isLeft) void queryClient.cancelQueries({ predicate: ({ queryKey }) => queryKey[1] === projectID });
  }, [isLeft, projectID]);
  return isLeft ? <PageLoading /> : <Outlet />;
}

function Followed() {
  // The account was read before all data of pages, so no change in between is missed. Later it may be read again.
  const [after] = useState(useProject().lastSeq);
  return <LiveChanges after={after} />;
}
