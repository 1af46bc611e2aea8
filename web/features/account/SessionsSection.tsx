import { Laptop, Smartphone, Tablet } from 'lucide-react';
import { useState } from 'react';
import { getMessage } from '../../lib/http/api.ts';
import { shortMomentText } from '../../lib/dates.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { LoadFailed } from '../../ui/feedback/LoadFailed.tsx';
import { Status } from '../../ui/feedback/Status.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { useEndSessionMutation, useSessionsQuery, type Session } from './account-api.ts';
import { AccountSection } from './AccountSection.tsx';

export const SessionsSection = () => {
  const { data: sessions, error, refetch } = useSessionsQuery();
  const [end] = useEndSessionMutation();
  const [{ ended, refusal }, setOutcome] = useState<{ readonly ended?: string; readonly refusal?: string }>({});
  const others = (sessions ?? []).filter(({ current }) => !current);
  const endAll = async (which: readonly Session[], said: string): Promise<void> => {
    setOutcome({});
    const answers = await Promise.all(which.map(({ _id }) => end(_id)));
    const refused = answers.find(({ error }) => error)?.error;
    setOutcome(refused ? { refusal: getMessage(refused) } : { ended: said });
  };
  return (
    <AccountSection id="sessions">
      {!sessions && !error && <Status className="mt-3 text-clove">Loading your sessions...</Status>}
      {!sessions && error && (
        <LoadFailed className="mt-5" onRetry={() => void refetch()}>
          {getMessage(error)}
        </LoadFailed>
      )}
      {sessions && (
        <ul className="mt-3 border-t border-sandal/70">
          {sessions.map((session) => (
            <SessionRow key={session._id} session={session} onEnd={() => void endAll([session], `${nameOf(session)} is signed out.`)} />
          ))}
        </ul>
      )}
      {others.length > 1 && (
        <TextButton className="mt-2" onClick={() => void endAll(others, 'All others are signed out.')}>
          End all others
        </TextButton>
      )}
      {refusal !== undefined && <Alert className="mt-4">{refusal}</Alert>}
      <Status className="mt-3 text-[0.9375rem] text-clove">{ended}</Status>
    </AccountSection>
  );
};

const nameOf = ({ device }: Session): string => device ?? 'Unknown device';

const LOOK = { className: 'size-5 text-clove', strokeWidth: 1.4 };

const DeviceIcon = ({ name }: { readonly name: string }) => {
  if (name.includes('iPad')) return <Tablet {...LOOK} />;
  return /Android|iPhone/.test(name) ? <Smartphone {...LOOK} /> : <Laptop {...LOOK} />;
};

const SessionRow = ({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) => {
  const used = session.current ? 'now' : `last used ${shortMomentText(session.lastUsedAt)}`;
  return (
    <li className="flex items-center gap-4 border-b border-sandal/70 py-2.5">
      <DeviceIcon name={nameOf(session)} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-[0.9375rem] font-medium">
          <span>{nameOf(session)}</span>
          {session.current && (
            <span className="ml-2.5 inline-flex h-6 items-center rounded-xs bg-khus-wash px-2 text-xs text-khus-deep">this one</span>
          )}
        </p>
        <p className="figures text-[0.8125rem] text-clove">{session.address === null ? used : `${session.address}, ${used}`}</p>
      </div>
      {!session.current && (
        <TextButton aria-label={`End ${nameOf(session)}`} onClick={onEnd}>
          End
        </TextButton>
      )}
    </li>
  );
};
