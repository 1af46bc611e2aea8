/** A chunk is far below the size of texts that V8 puts into its large-object space, which is collected late. */
const PIECE = 32 * 1_024;

/** Yields chunks of many lines. */
export async function* jsonLines<Event>(pages: AsyncIterable<readonly Event[]>, lineOf: (event: Event) => object): AsyncGenerator<string> {
  for await (const page of pages) {
    let piece = '';
    for (const event of page) {
      piece += `${JSON.stringify(lineOf(event))}\n`;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }
}
