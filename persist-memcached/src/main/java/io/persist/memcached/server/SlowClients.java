package io.persist.memcached.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Those who have not read all of their answers. What one of them can leave to the server is bounded, but there may be
 * many, and the memory is one with the store's index. So if it is too much for all together, the one that has most of
 * it is closed, as Redis does.
 *
 * <p><b>Threads:</b> any.
 */
final class SlowClients {

    private final long mostBytes;
    private final Stats stats;
    private final Set<Client> clients = ConcurrentHashMap.newKeySet();

    /** One of them. */
    interface Client {

        /** Bytes that the answers take which it has not read; asked by any thread. */
        long unreadBytes();

        /** Closes it; called by any thread. */
        void close();
    }

    /** Up to {@code mostBytes} of all clients together. */
    SlowClients(long mostBytes, Stats stats) {
        this.mostBytes = mostBytes;
        this.stats = stats;
    }

    /** A client has not read all. It may be the one that is closed. */
    void add(Client client) {
        clients.add(client);
        Client worst = worst();
        while (worst != null) {
            if (clients.remove(worst)) { // else another thread closes it
                stats.closedSlow(worst.unreadBytes());
                worst.close();
            }
            worst = worst();
        }
    }

    /** It is closed. */
    void remove(Client client) {
        clients.remove(client);
    }

    /** The client that is to be closed, if it is too much. */
    private @Nullable Client worst() {
        Client worst = null;
        long most = 0;
        long all = 0;
        for (Client client : clients) {
            long unread = client.unreadBytes();
            if (unread == 0) {
                clients.remove(client);
            }
            all += unread;
            if (unread > most) {
                most = unread;
                worst = client;
            }
        }
        return all > mostBytes ? worst : null;
    }
}
