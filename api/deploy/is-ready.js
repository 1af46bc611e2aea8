// A container's health check: whether its process may be given work. Its log says what is wrong.
const answer = await fetch(`http://127.0.0.1:${process.env.OPS_PORT ?? 9090}/readyz`).catch((error) => error);
if (answer.ok !== true) {
  console.error(answer instanceof Error ? answer.message : await answer.text());
  process.exit(1);
}
