/** Where questions about a policy go. */
const SUPPORT = 'care@ruhani.example';

export const SupportEmail = () => (
  <a href={`mailto:${SUPPORT}`} className="link text-ink">
    {SUPPORT}
  </a>
);
