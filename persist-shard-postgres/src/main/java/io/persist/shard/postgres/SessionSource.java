package io.persist.shard.postgres;

import java.sql.SQLException;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/** Begins sessions as the URI says. */
final class SessionSource extends PGSimpleDataSource {

    private static final long serialVersionUID = 1;

    private SessionSource() {}

    /** Of the hosts of {@code uri}, with its parameters. */
    static SessionSource of(PostgresUri uri) throws SQLException {
        SessionSource source = new SessionSource();
        source.setUrl(uri.jdbcUrl());
        for (Map.Entry<String, String> property : uri.properties().entrySet()) {
            source.setProperty(property.getKey(), property.getValue());
        }
        source.setUser(uri.user());
        source.setPassword(uri.password());
        return source;
    }

    /** The pool would set it to how long its callers wait. A login takes longer if a host before the last is silent. */
    @Override
    public void setLoginTimeout(int seconds) {
        // that of the URI stays
    }
}
