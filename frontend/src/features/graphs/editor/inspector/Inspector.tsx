import { Button } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconNote, IconSelectAll } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Resizer } from "@/shared/ui/Resizer";
import type { GraphNote } from "../../document/graph";
import { useGraph, useUi } from "../context";
import classes from "../Editor.module.css";
import type { Actions } from "../useActions";
import { EdgeForm } from "./EdgeForm";
import { DocField } from "./fields";
import { GraphForm } from "./GraphForm";
import { NodeForm } from "./NodeForm";
import { StepTabs, WentThrough } from "./RunTabs";

const NARROWEST = 280;
const WIDEST = 560;

function NoteForm({ note, actions }: { note: GraphNote; actions: Actions }) {
  const { t } = useTranslation();
  const { locked } = useGraph();
  return (
    <>
      <div className={classes.inspectorHead}>
        <IconNote size={18} aria-hidden="true" />
        <h2 className="grow">{t("graphs.note")}</h2>
      </div>
      <div className={classes.fields}>
        <DocField label={t("graphs.noteText")} path={["notes", note.index, "text"]} value={note.text} lines />
        {!locked && (
          <Button variant="default" onClick={actions.remove}>
            {t("graphs.delete")}
          </Button>
        )}
      </div>
    </>
  );
}

function ManyForm({ count, actions }: { count: number; actions: Actions }) {
  const { t } = useTranslation();
  const { locked } = useGraph();
  return (
    <>
      <div className={classes.inspectorHead}>
        <IconSelectAll size={18} aria-hidden="true" />
        <h2 className="grow">{t("graphs.selected", { count })}</h2>
      </div>
      {!locked && (
        <div className={classes.fields}>
          <Button variant="default" onClick={() => actions.align("left")}>
            {t("graphs.alignLeft")}
          </Button>
          <Button variant="default" onClick={() => actions.align("top")}>
            {t("graphs.alignTop")}
          </Button>
          <Button variant="default" onClick={() => actions.align("spread")}>
            {t("graphs.spread")}
          </Button>
          <Button variant="default" onClick={actions.duplicate}>
            {t("graphs.duplicate")}
          </Button>
          <Button variant="default" color="red" onClick={actions.remove}>
            {t("graphs.delete")}
          </Button>
        </div>
      )}
    </>
  );
}

function Content({ actions }: { actions: Actions }) {
  const { graph } = useGraph();
  const selected = useUi((state) => state.selected);
  const edge = useUi((state) => state.edge);
  const wire = graph.edges.find(({ index }) => index === edge);
  if (wire)
    return (
      <>
        <EdgeForm edge={wire} actions={actions} />
        <WentThrough edge={wire} />
      </>
    );
  if (selected.size > 1) return <ManyForm count={selected.size} actions={actions} />;
  const [only] = selected;
  const node = graph.nodes.find(({ name }) => name === only);
  if (node)
    return (
      <StepTabs node={node}>
        <NodeForm node={node} actions={actions} />
      </StepTabs>
    );
  const note = graph.notes.find(({ index }) => `note ${index}` === only);
  if (note) return <NoteForm key={note.index} note={note} actions={actions} />;
  return <GraphForm />;
}

/** The docked panel at the right: settings of what is selected, or of the graph, and what a run says of it. */
export function Inspector({ actions }: { actions: Actions }) {
  const { t } = useTranslation();
  const [width, setWidth] = useLocalStorage({ key: "workbench.inspector", defaultValue: 360 });
  return (
    <aside className={classes.inspector} style={{ width }} aria-label={t("graphs.inspector")}>
      <Resizer
        edge="left"
        size={width}
        least={NARROWEST}
        most={WIDEST}
        label={t("graphs.resize")}
        onSize={setWidth}
        onEnd={actions.settle}
      />
      <div className={classes.inspectorScroll}>
        <Content actions={actions} />
      </div>
    </aside>
  );
}
