import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { insert, move, put, remove } from "../../../document/graphEdits";
import { freshValue, type Way, waysOf } from "../../../document/shape";
import { useEditor, useGraph } from "../../context";
import classes from "../../Editor.module.css";
import { Row } from "./Row";
import { inherited, type ValueProps } from "./way";

/** The items of a list as rows. */
export function List({ way, depth, ...props }: ValueProps & { way: Way; depth: number }) {
  const { label, path, value, definitions, kind } = props;
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const items = value && "seq" in value ? value.seq : [];
  const schema = way.schema.items ?? {};
  const add = () => {
    const [first] = waysOf(schema, definitions, kind === "template");
    const fresh = first ? freshValue(first) : "";
    // Something that isn't a list yet, such as a lone reference, gives way to one.
    edit(value && "seq" in value ? insert(path, items.length, fresh) : put(path, [fresh]));
  };
  return (
    <div className={classes.entries}>
      {items.map((item, index) => {
        const name = t("graphs.itemOf", { n: index + 1, name: label });
        return (
          <Row
            key={index}
            {...inherited(props)}
            label={name}
            name={name}
            numbered
            head={
              <span className={`muted small ${classes.number}`} aria-hidden="true">
                {index + 1}
              </span>
            }
            path={[...path, index]}
            value={item}
            schema={schema}
            optional={false}
            depth={depth}
            first={index === 0}
            last={index === items.length - 1}
            onMove={(by) => edit(move(path, index, index + by))}
            onRemove={() => edit(remove([...path, index]))}
          />
        );
      })}
      {!locked && (
        <Button
          aria-label={`${t("graphs.addItem")}: ${label}`}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={add}
        >
          {t("graphs.addItem")}
        </Button>
      )}
    </div>
  );
}
