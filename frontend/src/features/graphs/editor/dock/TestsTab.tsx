import { SaveAsTest } from "@/shared/savedTests/SaveAsTest";
import { TestList } from "@/shared/savedTests/TestList";
import { useWatched } from "../run/watched";

/** The graph's saved tests; the run that is watched can become one. */
export function TestsTab() {
  const watched = useWatched();
  return (
    <TestList>
      {watched && !watched.live && (
        <SaveAsTest place="graphs" run={{ ...watched.state.row, status: watched.state.status }} small here />
      )}
    </TestList>
  );
}
