import { Modal, TextInput } from "@mantine/core";
import { IconApi, IconHierarchy2, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { graphList } from "@/features/graphs/requests/graphRequests";
import { toolList } from "@/features/tools/requests/toolList";
import { useDebounced } from "@/shared/hooks/useDebounced";
import { useSession } from "@/shared/session/session";
import { placesFor } from "./places";
import classes from "./GoTo.module.css";

/** Ctrl+K: type a few letters, pick a page or a tool. */
export default function GoTo({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const search = useDebounced(text.trim(), 150);
  const tools = useQuery({ queryKey: ["tools", "go-to", search], queryFn: () => toolList({ search }) });
  const graphs = useQuery({ queryKey: ["graphs", "go-to", search], queryFn: () => graphList({ search }) });
  const places = placesFor(session).filter((place) => t(place.label).toLowerCase().includes(text.trim().toLowerCase()));
  const choices = [
    ...places.map(({ to, label, icon }) => ({ id: to, label: t(label), hint: "", icon, go: () => navigate({ to }) })),
    ...(tools.data?.results ?? []).slice(0, 8).map(({ name, desc }) => ({
      id: `tool-${name}`,
      label: name,
      hint: desc,
      icon: IconApi,
      go: () => navigate({ to: "/tools/$name", params: { name } }),
    })),
    ...(graphs.data?.results ?? []).slice(0, 8).map(({ name, description }) => ({
      id: `graph-${name}`,
      label: name,
      hint: description,
      icon: IconHierarchy2,
      go: () => navigate({ to: "/graphs/$name", params: { name } }),
    })),
  ];
  const current = Math.min(at, choices.length - 1);
  const pick = (index: number) => {
    onClose();
    void choices[index]?.go();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt((current + 1) % choices.length);
    else if (event.key === "ArrowUp") setAt((current - 1 + choices.length) % choices.length);
    else if (event.key === "Enter" && choices[current]) pick(current);
    else return;
    event.preventDefault();
  };
  return (
    <Modal.Root opened onClose={onClose} padding={0} size={560} yOffset="15vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t("goTo.open")}>
        <TextInput
          data-autofocus
          value={text}
          placeholder={t("goTo.placeholder")}
          aria-label={t("goTo.open")}
          variant="unstyled"
          size="md"
          leftSection={<IconSearch size={18} />}
          onKeyDown={onKeyDown}
          role="combobox"
          aria-expanded="true"
          aria-controls="go-to-list"
          aria-activedescendant={choices[current] ? `go-to-${choices[current].id}` : undefined}
          onChange={(e) => {
            setText(e.currentTarget.value);
            setAt(0);
          }}
        />
        <div role="listbox" id="go-to-list" aria-label={t("goTo.open")} className={classes.list}>
          {choices.map(({ id, label, hint, icon: Icon }, index) => (
            <div
              key={id}
              id={`go-to-${id}`}
              role="option"
              aria-selected={index === current}
              className={classes.choice}
              onMouseMove={() => setAt(index)}
              onClick={() => pick(index)}
            >
              <Icon size={16} aria-hidden="true" />
              <span>{label}</span>
              <span className="muted truncate small">{hint}</span>
            </div>
          ))}
          {choices.length === 0 && (
            <p className="muted" style={{ padding: 12 }}>
              {t("goTo.nothing")}
            </p>
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
