package io.persist.shard.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.persist.shard.location.Locations;
import java.net.URI;
import java.net.URLDecoder;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;

/**
 * Where a database is, as libpq writes it: {@code postgresql://user:password@host:port/database?parameter=value}.
 *
 * @param shown the URI as it may be printed, without password and parameters
 * @param jdbcUrl host, port and database for the driver
 * @param user null for that of the operating system
 * @param password null for the one in the file of passwords, or none
 * @param connections the most connections of the pool
 * @param timeoutS what an operation may take, in seconds
 * @param isSignalled whether other processes are told of changes, and tell of theirs
 * @param properties what is handed to the driver
 */
record PostgresUri(
        String shown,
        String jdbcUrl,
        @Nullable String user,
        @Nullable String password,
        int connections,
        int timeoutS,
        boolean isSignalled,
        Map<String, String> properties) {

    private static final String CONNECTIONS = "connections";
    private static final String TIMEOUT = "timeout";
    private static final String SIGNALS = "signals";
    private static final String CONNECT_TIMEOUT = "connectTimeout";
    private static final int DEFAULT_CONNECTIONS = 8;
    private static final int DEFAULT_TIMEOUT_S = 30;
    private static final int MOST_CONNECTIONS = 1_000;
    private static final int LONGEST_TIMEOUT_S = 3_600;
    private static final int LONGEST_CONNECT_S = 10;
    private static final int MOST_PORT = 65_535;

    /** Behind a host: colons of an address of IPv6 are in brackets. */
    private static final Pattern PORT = Pattern.compile(":([^\\]]*)$");

    private static final String PREPARE_THRESHOLD = "prepareThreshold";
    private static final String BINARY_FROM_THE_FIRST = "-1";
    static final String SERVER_TYPE = "targetServerType";
    private static final String PRIMARY = "primary";

    /** What the server takes: its memory for a row, and for a message, is a little more. */
    private static final int MOST_BYTES = 1_000_000_000;

    /** The same of what is read as text, which has two digits for each byte. */
    private static final int MOST_BYTES_AS_TEXT = 500_000_000;

    /**
     * Parses {@code uri}. A password that it does not have is taken from {@code PGPASSWORD} of {@code environment}.
     *
     * @throws IllegalArgumentException if it says nothing to this module; the message has no password
     */
    static PostgresUri parse(URI uri, Map<String, String> environment) {
        String shown = Locations.shown(uri.toString());
        if (uri.isOpaque() || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("uri=" + shown + ": postgresql://user@host:port/database");
        }
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        int at = authority.lastIndexOf('@');
        checkPorts(shown, authority.substring(at + 1));
        String userInfo = at < 0 ? "" : authority.substring(0, at);
        int colon = userInfo.indexOf(':');
        String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
        String password = colon < 0 ? null : decode(userInfo.substring(colon + 1));
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        Map<String, String> given = parameters(uri, shown);
        String ownConnections = given.remove(CONNECTIONS);
        String ownTimeout = given.remove(TIMEOUT);
        boolean isSignalled = isOn(shown, SIGNALS, given.remove(SIGNALS));
        int timeoutS = number(shown, TIMEOUT, ownTimeout, DEFAULT_TIMEOUT_S, LONGEST_TIMEOUT_S);
        for (String name : given.keySet()) {
            if (PGProperty.forName(name) == null) {
                throw new IllegalArgumentException("uri=" + shown + ": parameter " + name + " is none of pgjdbc, nor "
                        + CONNECTIONS + ", " + TIMEOUT + " or " + SIGNALS);
            }
        }
        askForPrimary(shown, authority.substring(at + 1), given);
        String givenUser = given.remove("user");
        String givenPassword = given.remove("password");
        return new PostgresUri(
                shown,
                "jdbc:postgresql://" + authority.substring(at + 1) + path,
                !user.isEmpty() ? decode(user) : givenUser,
                password != null ? password : givenPassword != null ? givenPassword : environment.get("PGPASSWORD"),
                number(shown, CONNECTIONS, ownConnections, DEFAULT_CONNECTIONS, MOST_CONNECTIONS),
                timeoutS,
                isSignalled,
                withDefaults(shown, given, timeoutS, authority.substring(at + 1).split(",").length));
    }

    /**
     * A standby answers reads, and what it says may be old. One host may become one, too: by a failover, if it is the
     * name of several servers, or comes back after it. Only of one host the URI may say that another type will do.
     */
    private static void askForPrimary(String shown, String hosts, Map<String, String> given) {
        String type = given.getOrDefault(SERVER_TYPE, PRIMARY);
        if (hosts.contains(",") && !type.equals(PRIMARY)) {
            throw new IllegalArgumentException("uri=" + shown + ": " + SERVER_TYPE + "=" + type
                    + ": a standby does not have the newest versions; " + PRIMARY + ", or leave it out");
        }
        given.put(SERVER_TYPE, type);
    }

    /** The driver says it of a URL that nobody has written. */
    private static void checkPorts(String shown, String hosts) {
        for (String host : hosts.split(",", -1)) {
            Matcher port = PORT.matcher(host);
            if (port.find()) {
                number(shown, "port", port.group(1), 0, MOST_PORT);
            }
        }
    }

    /** The time to connect is of each host, and that of a login is of all: the last one has to have its turn. */
    private static Map<String, String> withDefaults(String shown, Map<String, String> given, int timeoutS, int hosts) {
        int usual = Math.min(LONGEST_CONNECT_S, timeoutS);
        String own = given.get(CONNECT_TIMEOUT);
        boolean isEndless = "0".equals(own); // of the driver, also for a login
        int connectS = isEndless ? 0 : number(shown, CONNECT_TIMEOUT, own, usual, LONGEST_TIMEOUT_S);
        Map<String, String> all = new TreeMap<>(given);
        all.putIfAbsent("ApplicationName", "persist-shard");
        all.put(CONNECT_TIMEOUT, String.valueOf(connectS));
        all.putIfAbsent("loginTimeout", String.valueOf(hosts * connectS));
        all.putIfAbsent("socketTimeout", String.valueOf(2 * timeoutS)); // after that of the server, which is settled
        all.putIfAbsent("tcpKeepAlive", "true");
        all.putIfAbsent(PREPARE_THRESHOLD, BINARY_FROM_THE_FIRST); // else a statement reads text a few times
        return all;
    }

    /** Whether only a primary server is to answer. */
    boolean isForPrimary() {
        return PRIMARY.equals(properties.get(SERVER_TYPE));
    }

    /** The longest version of which the server takes a write and a read, in bytes. */
    int mostBytes() {
        boolean isBinary = BINARY_FROM_THE_FIRST.equals(properties.get(PREPARE_THRESHOLD))
                && !properties.containsKey("binaryTransfer")
                && !properties.containsKey("binaryTransferDisable")
                && !properties.containsKey("preferQueryMode");
        return isBinary ? MOST_BYTES : MOST_BYTES_AS_TEXT;
    }

    private static Map<String, String> parameters(URI uri, String shown) {
        Map<String, String> found = new TreeMap<>();
        String query = uri.getRawQuery();
        if (query == null || query.isEmpty()) {
            return found;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("uri=" + shown + ": a parameter is written name=value");
            }
            found.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
        }
        return found;
    }

    private static boolean isOn(String shown, String name, @Nullable String text) {
        if (text != null && !text.matches("on|off")) {
            throw new IllegalArgumentException("uri=" + shown + ": " + name + "=" + text + ": on or off");
        }
        return text == null || text.equals("on");
    }

    private static int number(String shown, String name, @Nullable String text, int byDefault, int most) {
        if (text == null) {
            return byDefault;
        }
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > most) {
            throw new IllegalArgumentException("uri=" + shown + ": " + name + "=" + text + ": 1 to " + most);
        }
        return Integer.parseInt(text);
    }

    /** A plus sign is one, unlike in forms. */
    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    }

    /** {@code text} without the password, should the server or the driver have repeated it. */
    String withoutPassword(String text) {
        String secret = password;
        return secret == null || secret.isEmpty() ? text : text.replace(secret, "***");
    }

    @Override
    public String toString() {
        return shown;
    }
}
