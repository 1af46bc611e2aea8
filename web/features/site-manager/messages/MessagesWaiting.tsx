import { adminApi } from '../admin-api.ts';
import { Count } from '../Count.tsx';

/** How many messages have no answer, from the list that is loaded when the Site Manager opens. */
export const MessagesWaiting = () => {
  const { data } = adminApi.endpoints.contacts.useInfiniteQueryState({});
  return <Count count={data?.pages[0]?.waiting} of="to answer" />;
};
