/** Where the demo tells what it does: an event for machines, the same in words for people. */
export type Tell = (
  event: Readonly<Record<string, unknown>> & { readonly event: string },
  words: string,
) => void;
