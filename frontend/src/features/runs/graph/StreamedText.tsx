import { memo, useMemo } from "react";
import { blocksOf } from "./textBlocks";

const Block = memo(function Block({ text }: { text: string }) {
  return <p>{text}</p>;
});

/** Text that grows at its end, in blocks: what was drawn once is not laid out again, however much has been said. */
export function StreamedText({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return blocks.map((block, index) => <Block key={index} text={block} />);
}
