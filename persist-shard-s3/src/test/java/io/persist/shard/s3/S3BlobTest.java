package io.persist.shard.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.BlobContract;
import io.persist.shard.location.Locations;
import io.persist.shard.s3.server.S3Server;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class S3BlobTest extends BlobContract {

    private final String place = TestStore.freshUri();

    @Override
    protected Blob open() {
        return Locations.blob(place);
    }

    @Override
    protected boolean survives() {
        return true;
    }

    @Test
    void shouldSendLargeObjectsInParts() {
        byte[] bytes = new byte[S3Blob.PART_BYTES + 100_001];
        new SplittableRandom(1).nextBytes(bytes);
        try (Blob blob = open()) {
            blob.set("large", bytes);
            assertThat(Arrays.equals(blob.get("large"), bytes)).isTrue();
            blob.create("large", bytes);
            bytes[S3Blob.PART_BYTES + 1]++;
            assertThatThrownBy(() -> blob.create("large", bytes)).isInstanceOf(DamagedShardException.class);
            assertThat(blob.delete("large")).isEqualTo(bytes.length);
        }
    }

    @Test
    void shouldNotReplaceWhatIsCreated() {
        try (Blob blob = open()) {
            blob.create("a", new byte[] {1});
            blob.create("a", new byte[] {1}); // an earlier attempt whose answer was lost
            assertThatThrownBy(() -> blob.create("a", new byte[] {2}))
                    .isInstanceOf(DamagedShardException.class)
                    .hasMessageContaining("object=a is there already");
            assertThat(blob.get("a")).containsExactly(1);
        }
    }

    @Test
    void shouldListMoreThanOnePage() {
        try (Blob blob = open()) {
            TreeSet<String> names = new TreeSet<>();
            for (int i = 0; i < 12; i++) {
                names.add("s1/w/" + i);
                blob.set("s1/w/" + i, new byte[i]);
            }
            blob.set("s2/w/1", new byte[1]);
            TreeSet<String> found = new TreeSet<>();
            ((S3Blob) blob).listPages("s1/", 5, (name, length) -> found.add(name));
            assertThat(found).isEqualTo(names);
        }
    }

    @Test
    void shouldKeepPlacesOfABucketApart() {
        try (Blob one = open();
                Blob two = Locations.blob(TestStore.freshUri())) {
            one.set("a", new byte[] {1});
            assertThat(two.get("a")).isNull();
            two.list("", (name, length) -> {
                throw new AssertionError(name);
            });
        }
    }

    private static void assertRefused(String uri, String... words) {
        assertThatThrownBy(() -> Locations.blob(uri).close())
                .isInstanceOf(DeterminateException.class)
                .message()
                .contains(words)
                .doesNotContain("\n")
                .doesNotContain(S3Server.SECRET_KEY);
    }

    @Test
    void shouldRefuseABucketThatIsNotThere() {
        assertRefused(
                S3Server.uri("no-such-bucket", TestStore.get().endpoint()), "s3://no-such-bucket/ at http", "make it");
    }

    @Test
    void shouldRefuseWrongCredentials() {
        System.setProperty("aws.secretAccessKey", "wrong");
        try {
            assertRefused(place, "are the credentials the right ones?", "s3:ListBucket");
        } finally {
            S3Server.useCredentials();
        }
    }

    @Test
    void shouldSayWhereCredentialsComeFrom() {
        System.clearProperty("aws.accessKeyId");
        System.setProperty("aws.disableEc2Metadata", "true");
        System.setProperty("aws.sharedCredentialsFile", "/none");
        try {
            assertRefused(place, "open: Unable to load credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
        } finally {
            S3Server.useCredentials();
        }
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = socket.getLocalPort();
        }
        assertRefused(S3Server.uri("bucket", "http://127.0.0.1:" + port), "does a server listen");
    }
}
