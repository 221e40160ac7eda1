// The declarations from MSAL.NET and System.Net.Http that the samples use, only for type checking.
namespace Microsoft.Identity.Client
{
    using System;
    using System.Collections.Generic;
    using System.Net.Http.Headers;
    using System.Threading;
    using System.Threading.Tasks;

    public interface IAccount
    {
        string Username { get; }
    }

    public class AuthenticationResult
    {
        public string AccessToken { get; }
        public IAccount Account { get; }
        public string CreateAuthorizationHeader() => null;
    }

    public class DeviceCodeResult
    {
        public string Message { get; }
    }

    public class MsalException : Exception
    {
        public string ErrorCode { get; }
    }

    public class MsalClientException : MsalException { }

    public class MsalServiceException : MsalException
    {
        public int StatusCode { get; }
        public string Claims { get; }
    }

    public class MsalUiRequiredException : MsalServiceException { }

    public static class MsalError
    {
        public const string AuthenticationCanceledError = "authentication_canceled";
        public const string CodeExpired = "code_expired";
    }

    public abstract class BaseAbstractAcquireTokenParameterBuilder<T> where T : BaseAbstractAcquireTokenParameterBuilder<T>
    {
        public Task<AuthenticationResult> ExecuteAsync() => null;
        public Task<AuthenticationResult> ExecuteAsync(CancellationToken cancellation) => null;
        public T WithClaims(string claims) => null;
    }

    public class AcquireTokenSilentParameterBuilder : BaseAbstractAcquireTokenParameterBuilder<AcquireTokenSilentParameterBuilder> { }

    public class AcquireTokenInteractiveParameterBuilder : BaseAbstractAcquireTokenParameterBuilder<AcquireTokenInteractiveParameterBuilder>
    {
        public AcquireTokenInteractiveParameterBuilder WithAccount(IAccount account) => null;
    }

    public class AcquireTokenWithDeviceCodeParameterBuilder : BaseAbstractAcquireTokenParameterBuilder<AcquireTokenWithDeviceCodeParameterBuilder> { }

    public interface IPublicClientApplication
    {
        Task<IEnumerable<IAccount>> GetAccountsAsync();
        Task<IAccount> GetAccountAsync(string identifier);
        Task RemoveAsync(IAccount account);
        AcquireTokenSilentParameterBuilder AcquireTokenSilent(IEnumerable<string> scopes, IAccount account);
        AcquireTokenInteractiveParameterBuilder AcquireTokenInteractive(IEnumerable<string> scopes);
        AcquireTokenWithDeviceCodeParameterBuilder AcquireTokenWithDeviceCode(
            IEnumerable<string> scopes, Func<DeviceCodeResult, Task> deviceCodeResultCallback);
    }

    public class WwwAuthenticateParameters
    {
        public static string GetClaimChallengeFromResponseHeaders(HttpResponseHeaders httpResponseHeaders, string scheme = "Bearer") => null;
    }
}

namespace System.Net.Http.Headers
{
    public class HttpHeaders
    {
        public void Add(string name, string value) { }
    }

    public class HttpRequestHeaders : HttpHeaders { }

    public class HttpResponseHeaders : HttpHeaders { }
}

namespace System.Net.Http
{
    using System.Net.Http.Headers;
    using System.Threading.Tasks;

    public class HttpMethod
    {
        public static HttpMethod Get { get; }
    }

    public class HttpContent
    {
        public Task<string> ReadAsStringAsync() => null;
    }

    public class HttpRequestMessage : IDisposable
    {
        public HttpRequestMessage(HttpMethod method, string requestUri) { }
        public HttpRequestHeaders Headers { get; }
        public void Dispose() { }
    }

    public class HttpResponseMessage : IDisposable
    {
        public HttpStatusCode StatusCode { get; }
        public HttpResponseHeaders Headers { get; }
        public HttpContent Content { get; }
        public HttpResponseMessage EnsureSuccessStatusCode() => this;
        public void Dispose() { }
    }

    public class HttpClient
    {
        public Task<HttpResponseMessage> SendAsync(HttpRequestMessage request) => null;
    }
}

/// App code that the samples use but do not define.
public abstract class AppBase
{
    protected Microsoft.Identity.Client.IPublicClientApplication application;
    protected System.Net.Http.HttpClient http;
    protected string[] scopes;
    protected string storedIdentifier;
    protected abstract void ClearDisplayedData();
    protected abstract void Report(System.Exception exception);
}
