package io.persist.shard.postgres;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.error.LocationException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * What a {@link SQLException} says: whether the operation may have happened, and what to do.
 *
 * <pre>
 *    no connection was had              nothing was sent              determinate
 *    the server answered ERROR          it has taken everything back  determinate
 *    the server answered FATAL, PANIC   it may have committed         indeterminate; the session has ended
 *    no answer: cut, or too late        the same                      indeterminate
 *    a read                             changes nothing               determinate
 * </pre>
 */
final class PostgresFailures {

    /** How far an operation had come. */
    enum Sent {
        NOTHING,
        READ,
        WRITE,

        /** A write that the server has taken back. */
        REFUSED
    }

    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String CREDENTIALS =
            "; give the right user in the URI, and the password in PGPASSWORD or ~/.pgpass";
    private static final String LOST = "; the connection was lost";
    private static final String DEADLOCK = "40P01";

    /** How long a server that has just answered may take to answer again. */
    private static final int VALID_S = 1;

    private final PostgresUri uri;

    PostgresFailures(PostgresUri uri) {
        this.uri = uri;
    }

    /** Whether the server has undone the statement because of others, and asks to be asked again. */
    static boolean isWorthRepeating(SQLException failed) {
        return SERIALIZATION_FAILURE.equals(failed.getSQLState()) || DEADLOCK.equals(failed.getSQLState());
    }

    LocationException of(String operation, Sent sent, SQLException failed) {
        String message =
                uri.shown() + ": " + operation + ": " + uri.withoutPassword(reason(failed)) + advice(root(failed));
        boolean isSettled = sent != Sent.WRITE;
        return isSettled ? new DeterminateException(message, failed) : new IndeterminateException(message, failed);
    }

    /**
     * Whether the server has answered that the statement is refused. The word for it is in the language of the server;
     * but FATAL and PANIC end the session, so it is a refusal if that goes on.
     */
    static boolean isRefusal(SQLException failed, Connection connection) throws SQLException {
        return answer(failed) != null && connection.isValid(VALID_S);
    }

    private static @Nullable ServerErrorMessage answer(SQLException failed) {
        return failed instanceof PSQLException refused ? refused.getServerErrorMessage() : null;
    }

    /** The pool wraps what the driver threw. */
    private static SQLException root(SQLException failed) {
        SQLException deepest = failed;
        while (deepest.getCause() instanceof SQLException cause) {
            deepest = cause;
        }
        return deepest;
    }

    private static String reason(SQLException failed) {
        SQLException root = root(failed);
        ServerErrorMessage answer = answer(root);
        String text = answer != null && answer.getMessage() != null ? answer.getMessage() : root.getMessage();
        return text == null
                ? root.getClass().getName()
                : text.lines().findFirst().orElse("");
    }

    /** Whether the network has failed; else the driver has, and says by itself which parameter is wrong. */
    private static boolean isOfTheNetwork(SQLException failed) {
        for (Throwable cause = failed.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    private String adviceOfNoConnection(SQLException failed) {
        if (isOfTheNetwork(failed)) {
            return "; is the server running there, and does it listen to this machine?";
        }
        return uri.isForPrimary() && reason(failed).contains(PostgresUri.SERVER_TYPE)
                ? "; it is a standby now, or read-only: name the primary server, and a role that may write"
                : "";
    }

    private String advice(SQLException failed) {
        String state = failed.getSQLState() == null ? "" : failed.getSQLState();
        return switch (state) {
            case "28P01", "28000" -> CREDENTIALS;
            case "08004" -> // of the driver, also if the server has no SSL
                uri.password() == null && !reason(failed).contains("SSL") ? CREDENTIALS : "";
            case "3D000" -> "; make it by CREATE DATABASE, or name another one in the URI";
            case "3F000" -> "; make the schema by CREATE SCHEMA, or name another one by ?currentSchema=";
            case "42501" ->
                "; the role needs SELECT, INSERT, UPDATE and DELETE on persist_heads and persist_versions, and CREATE"
                        + " on the schema if they are not there yet";
            case "42P01" -> "; the tables are gone, open it again to make them anew";
            case "25006" -> "; name the primary server, not a standby, and a role that may write";
            case "53300" -> "; raise max_connections of the server, or lower ?connections=";
            case "53100" -> "; free space on the server's disk";
            case "57014" -> "; it took longer than ?timeout=, so the server has undone it";
            case "57P03" -> "; the server starts or stops, try again soon";
            case "08001" -> adviceOfNoConnection(failed);
            case "08003" -> LOST;
            default -> state.startsWith("08") && isOfTheNetwork(failed) ? LOST : "";
        };
    }
}
