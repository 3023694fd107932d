package io.persist.shard.postgres.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A PostgreSQL server of its own for tests and benchmarks: on a free port of the loopback, with its data in a temporary
 * directory. A shell watches over it, which stops it and removes the directory when this process closes it, or ends in
 * whatever way. A signal to this process alone does not end it, nor does Ctrl-C where there is {@code setsid}: a program
 * that is interrupted still has its server until it ends.
 *
 * <p>The programs are those of the directory that the system property {@code persist.postgres} names, of {@code PATH},
 * or of {@code /usr/lib/postgresql}. PostgreSQL refuses to run as root: then it runs as {@code postgres} or
 * {@code nobody}.
 */
public final class PostgresServer implements AutoCloseable {

    private static final int PORTS_TO_TRY = 5;
    private static final int LAST_LINES = 30;
    private static final long PATIENCE_S = 300;
    private static final String READY = "database system is ready to accept connections";
    private static final String READY_STANDBY = ".*database system is ready to accept read.only connections.*";

    /** Arguments: programs, directory, then those of the server. It ends when its standard input does. The line "crash"
     * kills the server with all that it has started, "standby" does so and makes it one, and each line starts it again.
     */
    private static final String WATCH = """
            trap '' INT TERM HUP QUIT
            bin=$1; dir=$2; shift 2
            "$bin/initdb" -D "$dir/data" -U persist -A scram-sha-256 --pwfile="$dir/password" -E UTF8 --locale=C \\
                --no-sync >"$dir/initdb.log" 2>&1 </dev/null || { cat "$dir/initdb.log"; rm -rf "$dir"; exit 1; }
            serve() { "$bin/postgres" -D "$dir/data" "$@" </dev/null 2>&1 & server=$!; }
            serve "$@"
            while read -r line; do
                if [ "$line" = standby ]; then
                    touch "$dir/data/standby.signal"
                    line=crash
                fi
                if [ "$line" = crash ]; then
                    kill -STOP $server
                    kill -KILL $(cat /proc/$server/task/$server/children) $server
                fi
                wait $server
                sleep 0.1
                serve "$@"
            done
            kill -INT $server 2>/dev/null
            wait $server
            rm -rf "$dir"
            """;

    private final Process watch;
    private final Path directory;
    private final String password;
    private final int port;
    private final AtomicInteger places = new AtomicInteger();
    private final Semaphore starts = new Semaphore(0);

    private PostgresServer(Process watch, Path directory, String password, int port) {
        this.watch = watch;
        this.directory = directory;
        this.password = password;
        this.port = port;
    }

    /** Why no server can be started here, in one line; null if one can. */
    public static String whyMissing() {
        if (File.separatorChar != '/') {
            return "no shell to start PostgreSQL with";
        }
        return PostgresPrograms.directory() == null
                ? "PostgreSQL's programs initdb and postgres are not found: install them, or name their directory by"
                        + " -Dpersist.postgres="
                : null;
    }

    /**
     * Starts one, with settings as {@code fsync=off} beside the defaults.
     *
     * @throws IllegalStateException if it does not start; the message has what it said
     */
    public static PostgresServer start(String... settings) throws IOException {
        String missing = whyMissing();
        if (missing != null) {
            throw new IllegalStateException(missing);
        }
        String password = UUID.randomUUID().toString();
        Deque<String> said = new ArrayDeque<>();
        for (int i = 0; i < PORTS_TO_TRY; i++) { // another process may take the port before the server does
            PostgresServer server = start(password, freePort(), settings, said);
            if (server != null) {
                return server;
            }
        }
        throw new IllegalStateException("PostgreSQL does not start: " + String.join(" / ", said));
    }

    private static PostgresServer start(String password, int port, String[] settings, Deque<String> said)
            throws IOException {
        String user = PostgresPrograms.user();
        Path directory = Files.createTempDirectory("persist-postgres-").toRealPath();
        Files.writeString(directory.resolve("password"), password + "\n");
        List<String> command = new ArrayList<>(PostgresPrograms.ofAnotherSession());
        if (user != null) {
            command.addAll(
                    List.of("setpriv", "--reuid=" + user, "--regid=" + PostgresPrograms.group(user), "--clear-groups"));
            for (Path one : List.of(directory, directory.resolve("password"))) {
                Files.setOwner(
                        one, one.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
            }
        }
        command.addAll(
                List.of("sh", "-c", WATCH, "sh", PostgresPrograms.directory().toString(), directory.toString()));
        command.addAll(List.of("-c", "listen_addresses=127.0.0.1", "-c", "port=" + port));
        command.addAll(List.of("-c", "unix_socket_directories=", "-c", "lc_messages=C", "-c", "log_timezone=UTC"));
        for (String setting : settings) {
            command.addAll(List.of("-c", setting));
        }
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.redirectErrorStream(true).environment().put("LC_ALL", "C");
        Process watch = builder.start();
        PostgresServer server = new PostgresServer(watch, directory, password, port);
        BufferedReader output = new BufferedReader(new InputStreamReader(watch.getInputStream(), UTF_8));
        said.clear();
        String line = output.readLine();
        while (line != null && !line.contains(READY)) {
            said.add(line);
            if (said.size() > LAST_LINES) {
                said.remove();
            }
            if (line.contains("database system is shut down") || line.contains("could not create any TCP/IP")) {
                server.close(); // the shell waits for the end of its input
            }
            line = output.readLine();
        }
        if (line == null) {
            server.close();
            return null;
        }
        server.listen(output);
        return server;
    }

    /** The server must not stand still because nobody reads what it says. */
    private void listen(BufferedReader output) {
        Thread thread = new Thread(
                () -> {
                    try (output) {
                        for (String line = output.readLine(); line != null; line = output.readLine()) {
                            hear(line);
                        }
                    } catch (IOException closed) {
                        // the server is gone
                    }
                },
                "postgres-output");
        thread.setDaemon(true);
        thread.start();
    }

    private void hear(String line) throws IOException {
        if (line.contains(READY) || line.matches(READY_STANDBY)) {
            starts.release();
        } else if (line.contains("FATAL")
                && (line.contains("pre-existing shared memory") || line.contains("lock file"))) {
            tell("again"); // processes of the killed one are not gone yet
        }
    }

    private void tell(String line) throws IOException {
        watch.getOutputStream().write((line + "\n").getBytes(UTF_8));
        watch.getOutputStream().flush();
    }

    /** Kills the server and its sessions as {@code kill -9} does, and returns when it has been started again and recovered. */
    public void crash() throws IOException, InterruptedException {
        restart("crash");
    }

    /** The same, but then it is a standby that hears nothing of a primary: it has what it had, and only reads. */
    public void becomeStandby() throws IOException, InterruptedException {
        restart("standby");
    }

    private void restart(String how) throws IOException, InterruptedException {
        tell(how);
        if (!starts.tryAcquire(PATIENCE_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("PostgreSQL does not start again");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    /** The port, on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** The password of the user {@code persist}, who may do everything. */
    public String password() {
        return password;
    }

    /** The URI of the server's database as {@code persist}; it has the password. */
    public String uri() {
        return uri(port);
    }

    /** The same by another port, for what stands between. */
    public String uri(int throughPort) {
        return "postgresql://persist:" + password + "@127.0.0.1:" + throughPort + "/postgres";
    }

    /** The parameter, to be added to a URI, of a new and empty schema. */
    public String freshSchema() throws SQLException {
        String schema = "place" + places.incrementAndGet();
        execute("CREATE SCHEMA " + schema);
        return "?currentSchema=" + schema;
    }

    /** The URI of a new and empty place. */
    public String freshUri() throws SQLException {
        return uri() + freshSchema();
    }

    /** Runs {@code statements} as {@code persist}. */
    public void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        }
    }

    /** A connection of its own as {@code persist}. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "persist", password);
    }

    /** Where its data is. */
    public Path directory() {
        return directory;
    }

    /** Stops the server and returns when its directory is gone. */
    @Override
    public void close() {
        try {
            watch.getOutputStream().close();
        } catch (IOException gone) {
            // then it knows
        }
        boolean isInterrupted = false;
        while (true) {
            try {
                watch.waitFor();
                break;
            } catch (InterruptedException again) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
