import { ButtonLink } from '../../../ui/Button.tsx';
import type { ContentLink } from '../site-content-types.ts';

type HeroActionsProps = { readonly primary: ContentLink; readonly secondary: ContentLink; readonly onDark?: boolean };

export const HeroActions = ({ primary, secondary, onDark = false }: HeroActionsProps) => (
  <div className="flex flex-wrap gap-3">
    <ButtonLink to={primary.to} kind={onDark ? 'light' : 'primary'} size="lg" className="max-[420px]:flex-1 max-[420px]:px-4">
      {primary.text}
    </ButtonLink>
    <ButtonLink to={secondary.to} kind={onDark ? 'ghostDark' : 'outline'} size="lg" className="max-[420px]:flex-1 max-[420px]:px-4">
      {secondary.text}
    </ButtonLink>
  </div>
);
