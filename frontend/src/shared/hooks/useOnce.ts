import { useMutation, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";
import { useCallback, useRef } from "react";

/**
 * A mutation that isn't begun a second time while it goes on.
 *
 * A button that shows that it is busy does so with the next drawing only: a double click, or Enter and a click, may
 * both come before that, and would save, publish or answer twice.
 */
export function useOnce<T, V = void>(options: UseMutationOptions<T, Error, V>): UseMutationResult<T, Error, V> {
  const { onSettled } = options;
  const pending = useRef(false);
  const mutation = useMutation<T, Error, V>({
    ...options,
    onSettled: (...settled) => {
      pending.current = false;
      return onSettled?.(...settled);
    },
  });
  const { mutate: begin } = mutation;
  const mutate = useCallback<typeof begin>(
    (...given) => {
      if (pending.current) return;
      pending.current = true;
      begin(...given);
    },
    [begin],
  );
  return { ...mutation, mutate };
}
