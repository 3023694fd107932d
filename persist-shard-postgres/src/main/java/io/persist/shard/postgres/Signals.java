package io.persist.shard.postgres;

import io.persist.shard.location.Blob;
import io.persist.shard.thread.LastingThread;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Tells other processes, on this machine or another one, of new versions, and hears of theirs: by {@code NOTIFY} and
 * {@code LISTEN}. A signal is a hint: a thread that waits also looks now and then, in case one is lost.
 *
 * <p>{@code NOTIFY} has a transaction of its own behind that of the version. It takes a lock that all of them in the
 * database share until it is committed, but it has no rows to write and waits for no sync. What comes while one is
 * under way goes together.
 *
 * <p><b>Threads:</b> any; each object has two, which begin when they are needed. What fails in them may go well again:
 * a second later they go on, and others look now and then.
 */
final class Signals implements AutoCloseable {

    private static final String SEND = "SELECT pg_notify(?, message) FROM unnest(?::text[]) AS message";
    private static final int HEAR_MS = 10_000;

    /** Makes connections. */
    interface Connector {
        Connection connect() throws SQLException;
    }

    private final Connector forSending;
    private final Connector forHearing;
    private final String channel;
    private final News news;
    private final Map<String, Long> toSend = new HashMap<>();
    private @Nullable LastingThread sender;
    private @Nullable LastingThread hearer;
    private @Nullable Connection heard;
    private boolean isHearing;
    private boolean isClosed;

    /**
     * Signals of one place.
     *
     * @param forSending for a moment each, as those of a pool
     * @param forHearing for one that stays
     * @param channel an identifier that no other place of the database has
     */
    Signals(Connector forSending, Connector forHearing, String channel, News news) {
        this.forSending = forSending;
        this.forHearing = forHearing;
        this.channel = channel;
        this.news = news;
    }

    /** Tells of a version soon; returns at once. */
    synchronized void send(String key, long number) {
        toSend.merge(key, number, Math::max);
        if (sender == null && !isClosed) {
            sender = LastingThread.start("postgres-signals-out", this::sendNext);
        }
        notifyAll();
    }

    /** From now on {@link News} is told of what others do; it is told of a gap when that begins and when it ends. */
    synchronized void hear() {
        if (hearer == null && !isClosed) {
            hearer = LastingThread.start("postgres-signals-in", this::hearAll);
        }
    }

    /** Whether others are heard now. */
    synchronized boolean isHearing() {
        return isHearing;
    }

    private void sendNext() throws InterruptedException, SQLException {
        String[] messages = next();
        if (messages.length == 0) {
            return;
        }
        try (Connection connection = forSending.connect();
                PreparedStatement statement = connection.prepareStatement(SEND)) {
            try {
                statement.setString(1, channel);
                statement.setArray(2, connection.createArrayOf("text", messages));
                statement.execute();
            } catch (RuntimeException | Error broken) {
                connection.abort(Runnable::run); // it may be in the middle of an answer
                throw broken;
            }
        }
    }

    /** Waits for something to send; empty at the end. */
    private synchronized String[] next() throws InterruptedException {
        while (toSend.isEmpty() && !isClosed) {
            wait();
        }
        if (isClosed) {
            return new String[0];
        }
        String[] messages = toSend.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .toArray(String[]::new);
        toSend.clear();
        return messages;
    }

    /** Until the connection is lost, or the end. */
    private void hear(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        while (!isClosed()) {
            for (PGNotification signal : postgres.getNotifications(HEAR_MS)) {
                tell(signal.getParameter());
            }
        }
    }

    private void hearAll() throws SQLException {
        try (Connection connection = forHearing.connect()) {
            begin(connection);
            hear(connection);
        } finally {
            end();
        }
    }

    private void begin(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + channel);
        }
        synchronized (this) {
            heard = connection;
            isHearing = true;
        }
        news.tellOfAGap();
    }

    private void end() {
        synchronized (this) {
            heard = null;
            isHearing = false;
        }
        news.tellOfAGap();
    }

    /** A message is a key, which has no blank and is not longer than a name, and a number; anybody may send others. */
    private void tell(String message) {
        int blank = message.indexOf(' ');
        if (blank > 0 && blank <= Blob.MAX_NAME && message.substring(blank + 1).matches("[0-9]{1,18}")) {
            news.tell(message.substring(0, blank), Long.parseLong(message.substring(blank + 1)));
        }
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    /** The threads end soon. What is not sent yet is not any more. */
    @Override
    public void close() {
        Connection listening;
        synchronized (this) {
            isClosed = true;
            listening = heard;
            notifyAll();
            if (sender != null) {
                sender.end();
            }
            if (hearer != null) {
                hearer.end();
            }
        }
        if (listening != null) {
            try {
                listening.abort(Runnable::run); // its thread waits for the server
            } catch (SQLException gone) {
                // it is
            }
        }
    }
}
