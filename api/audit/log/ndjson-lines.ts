/** Far below the size from which the engine allocates texts in its large-object space, which is collected late. */
const PIECE = 32 * 1_024;

/** A line for each event, in chunks of many lines. */
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
