/** What a bundler says of a module: its file, and the files that import it at once. */
type ModuleInfo = { readonly importers: readonly string[] };
type Graph = { readonly getModuleInfo: (id: string) => ModuleInfo | null };

/**
 * Names one chunk for all that these modules import at once, directly or not, and none for anything else. The modules themselves stay
 * where they are, so that each remains the beginning of a chunk of its own.
 */
export const importedBy = (chunk: string, roots: readonly string[]) => {
  const known = new Map<string, boolean>();
  const isWanted = (id: string, graph: Graph): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    // Until it is known it counts as no: a circle of imports ends here.
    known.set(id, false);
    const importers = graph.getModuleInfo(id)?.importers ?? [];
    const wanted = importers.some((importer) => roots.includes(importer) || isWanted(importer, graph));
    known.set(id, wanted);
    return wanted;
  };
  return (id: string, graph: Graph): string | null => (isWanted(id, graph) ? chunk : null);
};
