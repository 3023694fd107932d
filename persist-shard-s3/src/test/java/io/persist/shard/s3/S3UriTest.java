package io.persist.shard.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.location.Locations;
import java.net.URI;
import org.junit.jupiter.api.Test;

class S3UriTest {

    private static S3Uri parse(String uri) {
        return S3Uri.parse(URI.create(uri));
    }

    @Test
    void shouldTakeAUriApart() {
        S3Uri uri = parse("s3://my.bucket_1/a/b?endpoint=http%3A%2F%2F127.0.0.1%3A9000&region=eu-north-1");
        assertThat(uri.bucket()).isEqualTo("my.bucket_1");
        assertThat(uri.prefix()).isEqualTo("a/b/");
        assertThat(uri.endpoint()).isEqualTo(URI.create("http://127.0.0.1:9000"));
        assertThat(uri.region()).isEqualTo("eu-north-1");
        assertThat(uri.shown()).isEqualTo("s3://my.bucket_1/a/b/ at http://127.0.0.1:9000");
        assertThat(parse("s3://bucket").prefix()).isEmpty();
        assertThat(parse("s3://bucket/").prefix()).isEmpty();
        assertThat(parse("s3://bucket").region()).isNull();
        assertThat(parse("s3://bucket").endpoint()).isNull();
        assertThat(parse("s3://bucket?endpoint=https://host").region()).isEqualTo("us-east-1");
    }

    @Test
    void shouldRefuseWhatSaysNothing() {
        for (String wrong : new String[] {
            "s3:bucket",
            "s3:///prefix",
            "s3://b",
            "s3://bucket/a//b",
            "s3://bucket/../b",
            "s3://bucket/a%20b",
            "s3://bucket?colour=red",
            "s3://bucket?endpoint=host:80",
            "s3://bucket?endpoint=ftp://host",
            "s3://bucket?endpoint=http://host:99999",
            "s3://bucket?endpoint=http://host:0",
            "s3://bucket?endpoint",
            "s3://bucket#part"
        }) {
            assertThatThrownBy(() -> Locations.blob(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("uri=s3:");
        }
    }

    @Test
    void shouldNotTakeNorRepeatCredentials() {
        for (String wrong : new String[] {
            "s3://AKIAKEY:s3cret@bucket/prefix",
            "s3://s3cret@bucket",
            "s3://bucket?endpoint=https://me:s3cret@host",
            "s3://AKIAKEY:s3c^ret@bucket"
        }) {
            assertThatThrownBy(() -> Locations.blob(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .doesNotContain("s3c");
        }
    }

    @Test
    void shouldMakeKeysAndNamesOfThemAgain() {
        for (String name :
                new String[] {"a", "s1/w1/p1", "%2f.._!~", "../up", "/a//b/.c", "a.b", "!", "~", "a/", "=+$"}) {
            String key = S3Keys.of(name);
            assertThat(key).matches("[A-Za-z0-9_.!/-]+").doesNotContain("//").doesNotStartWith("/");
            assertThat(("/" + key)).doesNotContain("/.");
            assertThat(S3Keys.nameOf(key)).isEqualTo(name);
            for (int i = 0; i <= name.length(); i++) {
                assertThat(key).startsWith(S3Keys.escaped(name.substring(0, i)));
            }
        }
        assertThat(S3Keys.of("s1/w1/p1")).isEqualTo("s1/w1/p1");
        for (String key : new String[] {"", "a b", "a!", "a!6", "!61", "!zz", "/a", "x".repeat(201)}) {
            assertThat(S3Keys.nameOf(key)).as(key).isNull();
        }
    }
}
