package io.persist.shard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.location.Locations;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PostgresUriTest {

    private static PostgresUri parse(String uri) {
        return PostgresUri.parse(URI.create(uri), Map.of());
    }

    @Test
    void shouldTakeAUriApart() {
        PostgresUri uri = parse("postgres://me:p%40ss+w%3A@db.example:5433/shards?sslmode=require&connections=3");
        assertThat(uri.jdbcUrl()).isEqualTo("jdbc:postgresql://db.example:5433/shards");
        assertThat(uri.user()).isEqualTo("me");
        assertThat(uri.password()).isEqualTo("p@ss+w:");
        assertThat(uri.connections()).isEqualTo(3);
        assertThat(uri.timeoutS()).isEqualTo(30);
        assertThat(uri.properties())
                .containsEntry("sslmode", "require")
                .containsEntry("connectTimeout", "10")
                .containsEntry("socketTimeout", "60")
                .doesNotContainKeys("connections", "timeout", "password");
        assertThat(uri.isSignalled()).isTrue();
        assertThat(parse("postgres:///d?signals=off").isSignalled()).isFalse();
        assertThat(parse("postgres:///d?signals=on").properties()).doesNotContainKey("signals");
        assertThat(uri.shown()).isEqualTo("postgres://me:***@db.example:5433/shards");
    }

    @Test
    void shouldHaveDefaults() {
        PostgresUri uri = parse("postgresql:///shards?timeout=5&socketTimeout=7");
        assertThat(uri.jdbcUrl()).isEqualTo("jdbc:postgresql:///shards");
        assertThat(uri.user()).isNull();
        assertThat(uri.password()).isNull();
        assertThat(uri.connections()).isEqualTo(8);
        assertThat(uri.properties()).containsEntry("connectTimeout", "5").containsEntry("socketTimeout", "7");
        assertThat(uri.properties()).containsEntry("loginTimeout", "5");
        assertThat(parse("postgresql://one,two,three/d").properties())
                .containsEntry("connectTimeout", "10")
                .containsEntry("loginTimeout", "30");
        assertThat(parse("postgresql://one,two/d?connectTimeout=20").properties()) // or the second has no turn
                .containsEntry("connectTimeout", "20")
                .containsEntry("loginTimeout", "40");
        assertThat(parse("postgresql://host/d?connectTimeout=0").properties()) // the driver waits without an end then
                .containsEntry("connectTimeout", "0")
                .containsEntry("loginTimeout", "0");
        assertThat(parse("postgresql://one:1,two:2/d?targetServerType=primary").jdbcUrl())
                .isEqualTo("jdbc:postgresql://one:1,two:2/d");
        assertThat(parse("postgresql://me@host").jdbcUrl()).isEqualTo("jdbc:postgresql://host/");
    }

    /** The server gives a byte as two digits, and at most 1 GiB, unless it is asked for bytes. */
    @Test
    void shouldAskForBytesFromTheFirstUnlessTheUriSaysOtherwise() {
        assertThat(parse("postgresql:///d").properties()).containsEntry("prepareThreshold", "-1");
        assertThat(parse("postgresql:///d").mostBytes()).isEqualTo(1_000_000_000);
        assertThat(parse("postgresql:///d?prepareThreshold=0").properties()).containsEntry("prepareThreshold", "0");
        for (String text : new String[] {"prepareThreshold=0", "binaryTransfer=false", "preferQueryMode=simple"}) {
            assertThat(parse("postgresql:///d?" + text).mostBytes()).as(text).isEqualTo(500_000_000);
        }
    }

    /** A version that a standby does not have yet is one that is not there. */
    @Test
    void shouldTakeThePrimary() {
        assertThat(parse("postgresql://one,two/d").properties()).containsEntry("targetServerType", "primary");
        assertThat(parse("postgresql://one/d").properties()).containsEntry("targetServerType", "primary");
        assertThat(parse("postgresql://one/d?targetServerType=any").properties())
                .as("of one host somebody may say so")
                .containsEntry("targetServerType", "any");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("postgresql://one,two/d?targetServerType=preferSecondary"))
                .withMessage("uri=postgresql://one,two/d: targetServerType="
                        + "preferSecondary: a standby does not have the newest versions; primary, or leave it out");
    }

    @Test
    void shouldNameThePortThatIsNone() {
        assertThatThrownBy(() -> parse("postgres://one:1,two:99999/d"))
                .hasMessage("uri=postgres://one:1,two:99999/d: port=99999: 1 to 65535");
        assertThat(parse("postgres://[::1]:65535/d").jdbcUrl()).isEqualTo("jdbc:postgresql://[::1]:65535/d");
        assertThat(parse("postgres://[::1]/d").jdbcUrl()).isEqualTo("jdbc:postgresql://[::1]/d");
    }

    @Test
    void shouldTakeThePasswordOfTheEnvironmentIfItHasNone() {
        Map<String, String> environment = Map.of("PGPASSWORD", "secret");
        assertThat(PostgresUri.parse(URI.create("postgres://me@host/d"), environment)
                        .password())
                .isEqualTo("secret");
        assertThat(PostgresUri.parse(URI.create("postgres://me:own@host/d"), environment)
                        .password())
                .isEqualTo("own");
        assertThat(PostgresUri.parse(URI.create("postgres://host/d?user=me&password=own"), environment)
                        .password())
                .isEqualTo("own");
    }

    @Test
    void shouldRefuseWhatSaysNothingAndNotRepeatThePassword() {
        for (String wrong : new String[] {
            "postgres:me:s3cret@host/d",
            "postgres://me:s3cret@host/d?colour=red",
            "postgres://me:s3cret@host/d?sslmode",
            "postgres://me:s3cret@host/d?connections=0",
            "postgres://me:s3cret@host/d?timeout=1h",
            "postgres://me:s3cret@host/d?signals=true",
            "postgres://me:s3cret@host:99999/d",
            "postgres://me:s3cret@host:0/d",
            "postgres://me:s3cret@one:1,two:/d",
            "postgres://me:s3cret@host:port/d",
            "postgres://me:s3cret@host/d#part",
            "postgres://me:s3c^ret@host/d",
            "postgres://me:s3cret@host/d d?password=s3cret",
            "postgres://me:s3cret@host/d?password=s3cret&x=1"
        }) {
            assertThatThrownBy(() -> Locations.consensus(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("uri=postgres:")
                    .message()
                    .doesNotContain("s3c")
                    .doesNotContain("\n");
        }
        assertThatThrownBy(() -> Locations.blob("postgres://me:s3cret@host/d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("known are")
                .message()
                .doesNotContain("s3cret");
    }

    @Test
    void shouldSayWhatItKnowsWhenASchemeIsNone() {
        assertThatThrownBy(() -> Locations.consensus("mysql://me:s3cret@host/d"))
                .hasMessageContaining("known are [journal, mem, postgres, postgresql]")
                .message()
                .doesNotContain("s3cret");
    }
}
