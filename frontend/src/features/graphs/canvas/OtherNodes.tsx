import { Handle, type NodeProps, NodeResizer, Position } from "@xyflow/react";
import { IconPlayerStop } from "@tabler/icons-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Canvas.module.css";
import { useCanvas } from "./CanvasContext";
import type { NoteNode as NoteNodeType } from "./flow";

function NoteView({ data, selected }: NodeProps<NoteNodeType>) {
  const { t } = useTranslation();
  const { onResizeNote } = useCanvas();
  const { note, editable } = data;
  return (
    <div className={classes.note} data-selected={selected || undefined} role="note" aria-label={t("graphs.note")}>
      {editable && selected && (
        <NodeResizer
          minWidth={96}
          minHeight={40}
          color="var(--wb-accent)"
          onResizeEnd={(_, size) => onResizeNote?.(note.index, size)}
        />
      )}
      {note.text}
    </div>
  );
}

/** A note on the canvas: plain text, with its line breaks. */
export const NoteNode = memo(NoteView);

function EndView({ selected }: NodeProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.end} data-selected={selected || undefined}>
      <Handle type="target" position={Position.Left} className={classes.port} />
      <IconPlayerStop size={14} aria-hidden="true" />
      {t("graphs.end")}
    </div>
  );
}

/** Where a branch ends the run's path. */
export const EndNode = memo(EndView);
