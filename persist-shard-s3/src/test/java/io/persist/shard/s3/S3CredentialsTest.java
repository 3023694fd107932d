package io.persist.shard.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.location.Locations;
import io.persist.shard.s3.server.S3Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credentials that are not set, but found: the properties of the SDK stand for the variables of the environment. */
class S3CredentialsTest {

    private static final String ROLE = """
            <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
              <AssumeRoleWithWebIdentityResult><Credentials>
                <AccessKeyId>key-of-role</AccessKeyId><SecretAccessKey>secret-of-role</SecretAccessKey>
                <SessionToken>session-of-role</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration>
              </Credentials></AssumeRoleWithWebIdentityResult>
            </AssumeRoleWithWebIdentityResponse>
            """;

    @TempDir
    private Path directory;

    private final List<String> askedForRoles = new CopyOnWriteArrayList<>();
    private final List<Headers> askedForObjects = new CopyOnWriteArrayList<>();

    /** Gives out roles, and is the store of objects. */
    private HttpServer server;

    private String place;
    private Map<String, String> properties;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
        place = S3Server.uri("bucket", endpoint);
        properties = Map.of(
                "aws.region", "us-east-1",
                "aws.roleArn", "arn:aws:iam::123456789012:role/shards",
                "aws.webIdentityTokenFile", directory.resolve("token").toString(),
                "aws.endpointUrlSts", endpoint,
                "aws.disableEc2Metadata", "true",
                "aws.sharedCredentialsFile", "/none");
        properties.forEach(System::setProperty);
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    @AfterEach
    void stop() {
        properties.keySet().forEach(System::clearProperty);
        S3Server.useCredentials();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean isRole = "POST".equals(exchange.getRequestMethod());
            if (isRole) {
                askedForRoles.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            } else {
                askedForObjects.add(exchange.getRequestHeaders());
            }
            byte[] body = (isRole ? ROLE : "<ListBucketResult/>").getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Test
    void shouldTakeTheRoleOfAServiceAccount() throws IOException {
        Files.writeString(directory.resolve("token"), "the.token");
        Locations.blob(place).close();
        assertThat(askedForObjects).singleElement().satisfies(headers -> {
            assertThat(headers.getFirst("Authorization")).contains("Credential=key-of-role/");
            assertThat(headers.getFirst("x-amz-security-token")).isEqualTo("session-of-role");
        });
        assertThat(askedForRoles)
                .singleElement()
                .asString()
                .contains("Action=AssumeRoleWithWebIdentity", "WebIdentityToken=the.token", "role%2Fshards");
    }

    @Test
    void shouldSayWhyARoleCannotBeTaken() {
        assertThatThrownBy(() -> Locations.blob(place).close())
                .isInstanceOf(DeterminateException.class)
                .message()
                .contains("Unable to load credentials, AWS_WEB_IDENTITY_TOKEN_FILE is set but: ")
                .contains(directory.resolve("token") + "; set AWS_ACCESS_KEY_ID and")
                .doesNotContain("\n", "CredentialsProvider");
    }
}
